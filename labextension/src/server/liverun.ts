import type { LineTime, Timeline } from '../schema';
import { Curve } from './curve';
import type { IStarted, LiveMessage } from './messages';

/** A run that is being watched, or was until it ended. */
export interface ILiveRun {
  readonly runId: string;
  readonly cellId: string | null;
  readonly executionCount: number | null;
  readonly name: string | null;
  /** First line of code of the cell. */
  readonly title: string;
  /** Seconds since 1970. */
  readonly startedAt: number;
  /** `gone`: the kernel died while the cell ran. */
  readonly state: 'running' | 'ended' | 'gone';
  /** ok, error or interrupted once the run has ended; null where nobody told. */
  readonly outcome: string | null;
  /** Seconds since the cell began, up to its end. */
  elapsed(): number;
  /** The line that runs; null while that is not known. */
  readonly line: number | null;
  /** The verdict so far; null as long as none is clear. */
  readonly soFar: string | null;
  readonly lines: readonly LineTime[];
  /** A new object whenever points have come. */
  readonly timeline: Timeline;
  /** How long it took; null while it runs and where nobody told. */
  readonly durationS: number | null;
}

/** Takes the messages of one run. */
export class LiveRun implements ILiveRun {
  constructor(started: IStarted) {
    this.runId = started.runId;
    this.cellId = started.cellId;
    this.executionCount = started.executionCount;
    this.name = started.name;
    this.title = started.title;
    this.startedAt = started.startedAt;
    // By a clock that nobody sets, for those of server and browser may differ.
    this.begun = performance.now() - 1000 * started.elapsedS;
  }

  readonly runId: string;
  readonly cellId: string | null;
  readonly executionCount: number | null;
  readonly name: string | null;
  readonly title: string;
  readonly startedAt: number;
  state: ILiveRun['state'] = 'running';
  outcome: string | null = null;
  line: number | null = null;
  soFar: string | null = null;
  lines: readonly LineTime[] = [];
  durationS: number | null = null;

  get timeline(): Timeline {
    return this.curve.timeline;
  }

  elapsed(): number {
    const now = this.state === 'running' ? performance.now() : this.ended;
    return this.durationS ?? Math.max(0, (now - this.begun) / 1000);
  }

  /** Take a message about this run. */
  take(message: LiveMessage): void {
    switch (message.type) {
      case 'sample':
        this.curve.append(message.times, message.series);
        break;
      case 'line':
        this.line = message.line;
        this.soFar = message.soFar ?? this.soFar;
        this.lines = message.lines ?? this.lines;
        break;
      case 'ended':
        this.outcome = message.outcome;
        this.end('ended', message.durationS);
        break;
      case 'gone':
        this.end('gone', message.seconds);
        break;
      case 'started':
        break;
    }
  }

  /** Note that the run is over; null where nobody told how long it took. */
  end(state: 'ended' | 'gone', durationS: number | null): void {
    if (this.state === 'running') {
      this.state = state;
      this.durationS = durationS;
      this.ended = performance.now();
      this.curve.end();
    }
  }

  private readonly begun: number;
  private ended = 0;
  private readonly curve = new Curve();
}
