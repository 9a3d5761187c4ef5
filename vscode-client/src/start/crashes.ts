// When a server that ended by itself is started again (editor-experience 14).

export const MOST_RESTARTS = 4;
export const WITHIN_MINUTES = 3;

/** Counts ends that nobody asked for. */
export class CrashCounter {
  readonly #now: () => number;
  #ends: number[] = [];

  /** `now` tells the time in milliseconds. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Take note of an end. Returns whether to start again, and how long to wait before. */
  ended(): { restart: boolean; delay: number; times: number } {
    const now = this.#now();
    this.#ends = [...this.#ends.filter((end) => now - end < WITHIN_MINUTES * 60_000), now];
    const times = this.#ends.length;
    // The first restart is at once, each further one waits twice as long: 0, 0.5, 1, 2 seconds.
    return { restart: times <= MOST_RESTARTS, delay: times === 1 ? 0 : 250 * 2 ** (times - 1), times };
  }

  /** A person asked for a start: count from nothing. */
  forget(): void {
    this.#ends = [];
  }
}
