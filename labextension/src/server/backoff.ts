const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** A connection that held so long was a good one: begin anew. */
const GOOD_MS = 10_000;

/** How long to wait before the next attempt to connect. */
export class Backoff {
  /** Note that a connection is there. */
  opened(): void {
    this.openedAt = performance.now();
  }

  /** The connection, or the attempt at one, has ended: how long to wait. */
  next(): number {
    if (performance.now() - this.openedAt >= GOOD_MS) {
      this.wait = FIRST_MS;
    }
    this.openedAt = Infinity;
    const wait = this.wait;
    this.wait = Math.min(2 * wait, LONGEST_MS);
    return wait;
  }

  private wait = FIRST_MS;
  private openedAt = Infinity;
}
