import { hashSource } from '../../src/edits';
import { makeProfile } from '../stage';
import { makeTrial } from '../trystage';
import { mutate } from './mutate';
import { Random } from './random';

/** Source of the profiled cell. */
export const SOURCE = '%%mlprof\nfor batch in loader:\n    step(batch)';
const ROUNDS = 2_000;
const PARTS = 8;
/** Each gives another part of the damaged payloads. */
export const SEEDS = Array.from({ length: PARTS }, (_, part) => part + 1);

/** Damaged payloads, the same for the same seed. */
export async function* damaged(
  seed: number
): AsyncGenerator<{ payload: unknown; random: Random }> {
  const whole = makePayload();
  const random = new Random(seed);
  for (let round = 0; round < ROUNDS / PARTS; round += 1) {
    // Else React would clean up only when all is done.
    await new Promise(resolve => setTimeout(resolve));
    yield { payload: mutate(whole, random), random };
  }
}

/** The stored profile with something in every part, but not much of it. */
export function makePayload(): object {
  const profile = makeProfile();
  profile.findings.splice(2);
  profile.functions.splice(2);
  profile.lines.splice(2);
  profile.collectors.splice(2);
  profile.timeline.t_s.splice(6);
  profile.timeline.series.forEach(series => {
    series.values.splice(6);
  });
  const frame = (name: string) => ({ name, file: '<cell>', line: 4 });
  profile.cell.source = SOURCE;
  profile.findings.forEach((finding, place) => {
    const start = 9 * place;
    const edits = [{ start, end: start, text: '# ' }];
    finding.fix = { source_sha256: hashSource(SOURCE), edits };
    Object.assign(finding, { trial: makeTrial() });
  });
  return {
    ...profile,
    outcome: 'error',
    error: { type: 'ValueError', message: 'no', line: 3 },
    flame: {
      frames: [frame('<cell>'), frame('load'), frame('step')],
      nodes: [
        [-1, 0, 12.4],
        [0, 1, 8.4],
        [1, 1, 3],
        [0, 2, 4]
      ]
    },
    spans: {
      step_s: 1,
      line_sets: [[2], [2, 3]],
      samples: [
        [0, 1, 0, 0.9],
        [1, 2, 0, 1],
        [2, 3, 1, 1],
        [12, 3, 1, 0.4]
      ]
    },
    memory: {
      ...profile.memory,
      limit_bytes: 4e9,
      holders: [{ name: 'losses', bytes: 7e8, type: 'list of 512' }]
    },
    steps: { count: 4, seconds: [0.1, 0.2, 0.1, 0.4], optimizer_s: 0.4 }
  };
}
