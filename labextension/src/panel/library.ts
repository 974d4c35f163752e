import type { TranslationBundle } from '@jupyterlab/translation';

import type { Parsed } from '../parse';
import { parseProfile } from '../parse';
import type { ProfileAnswer } from '../server/runs';

/** A profile, the sentence that says why there is none, or null while it is on its way. */
export type Loaded = Parsed | null;

/** Profiles that are kept; the one read longest ago goes first. */
const KEPT = 20;
/** When to ask again for the profile of a run that has just ended. */
const RETRIES_MS = [300, 700, 1_500, 3_000, 5_000, 10_000];

/** The profiles of runs that only the server has, each asked for once. */
export class Library {
  /**
   * @param ask Ask the server for a profile.
   * @param told Called when a profile came, or did not.
   */
  constructor(
    private readonly ask: (runId: string) => Promise<ProfileAnswer>,
    private readonly told: () => void,
    private readonly trans: TranslationBundle
  ) {}

  /**
   * The profile of a run; asked for if need be.
   *
   * @param patient Whether it may still be in the making.
   */
  get(runId: string, patient = false): Loaded {
    const known = this.loaded.get(runId);
    if (known === undefined && !this.asked.has(runId)) {
      this.asked.add(runId);
      void this.fetch(runId, patient ? RETRIES_MS : []);
    }
    return known ?? null;
  }

  /** Forget failures, so that they are tried again. */
  forgetFailures(): void {
    for (const [runId, { profile }] of this.loaded) {
      if (profile === null) {
        this.loaded.delete(runId);
      }
    }
  }

  /** Ask no more. */
  stop(): void {
    this.generation += 1;
    this.asked.clear();
  }

  private async fetch(runId: string, waits: readonly number[]): Promise<void> {
    const { generation } = this;
    let answer = await this.ask(runId);
    for (const wait of waits) {
      if (answer.kind === 'profile' || generation !== this.generation) {
        break;
      }
      await new Promise(resolve => setTimeout(resolve, wait));
      if (generation !== this.generation) {
        return;
      }
      answer = await this.ask(runId);
    }
    if (generation === this.generation) {
      this.asked.delete(runId);
      this.keep(runId, this.read(answer));
      this.told();
    }
  }

  private read(answer: ProfileAnswer): Parsed {
    switch (answer.kind) {
      case 'profile':
        return parseProfile(answer.profile, this.trans);
      case 'absent':
        return {
          profile: null,
          refusal: this.trans.__(
            'This profile is not in the notebook, and the Jupyter server runs without jupyter_mlprof.'
          )
        };
      case 'failed':
        return { profile: null, refusal: answer.message };
    }
  }

  /** Keep a profile that came from elsewhere. */
  keep(runId: string, parsed: Parsed): void {
    this.loaded.delete(runId);
    this.loaded.set(runId, parsed);
    const [oldest] = this.loaded.keys();
    if (this.loaded.size > KEPT && oldest !== undefined) {
      this.loaded.delete(oldest);
    }
  }

  private readonly loaded = new Map<string, Parsed>();
  private readonly asked = new Set<string>();
  private generation = 0;
}
