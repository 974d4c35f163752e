import type { Flame, Frame } from './schema';

/** Sampled seconds in a function, alone and with all it called. */
export interface IFrameTime {
  readonly frame: Frame;
  self_s: number;
  total_s: number;
}

/**
 * The call tree of a profile, filled anew with time.
 *
 * Nodes that the payload damaged are passed over: one without a frame gives its
 * time to the node above, and one whose parent does not stand before it is a
 * root. So no path has a circle.
 */
export class CallTree {
  constructor(private readonly flame: Flame) {
    this.own = new Float64Array(flame.nodes.length);
    this.parents = [];
    this.places = [];
    flame.nodes.forEach(([parent, frame], node) => {
      // That of a damaged node is already the place of a sound one above it.
      this.parents.push(this.places[parent] ?? -1);
      const sound = flame.frames[frame] !== undefined;
      this.places.push(sound ? node : (this.parents[node] ?? -1));
    });
  }

  /** Add time to the function at a node; one out of range is ignored. */
  add(node: number, seconds: number): void {
    const place = this.places[node] ?? -1;
    if (place >= 0) {
      this.own[place] = (this.own[place] ?? 0) + seconds;
    }
  }

  /** The nodes that have time, with all below them, and the frames they use. */
  used(): Flame {
    const totals = this.totals();
    const nodes: Flame['nodes'] = [];
    const frames = new Map<number, number>();
    const moved: number[] = [];
    this.flame.nodes.forEach(([, frame], node) => {
      const seconds = totals[node] ?? 0;
      moved.push(seconds > 0 ? nodes.length : -1);
      if (seconds > 0) {
        const parent = moved[this.parents[node] ?? -1] ?? -1;
        const place = frames.get(frame) ?? frames.size;
        frames.set(frame, place);
        nodes.push([parent, place, seconds]);
      }
    });
    const kept = [...frames.keys()].flatMap(
      frame => this.flame.frames[frame] ?? []
    );
    return { frames: kept, nodes };
  }

  /** Time by function; a function that calls itself counts once in a total. */
  frames(): IFrameTime[] {
    const times = new Map<string, IFrameTime>();
    const totals = this.totals();
    const keys = this.flame.frames.map(({ name, file, line }) =>
      JSON.stringify([name, file, line])
    );
    this.walk(keys, (node, key, inside) => {
      const seconds = totals[node] ?? 0;
      const frame = this.frame(node);
      if (seconds > 0 && frame !== undefined) {
        const time = times.get(key) ?? { frame, self_s: 0, total_s: 0 };
        time.self_s += this.own[node] ?? 0;
        time.total_s += inside ? 0 : seconds;
        times.set(key, time);
      }
    });
    return [...times.values()];
  }

  private frame(node: number): Frame | undefined {
    return this.flame.frames[this.flame.nodes[node]?.[1] ?? -1];
  }

  private totals(): Float64Array {
    const totals = this.own.slice();
    for (let node = totals.length - 1; node >= 0; node -= 1) {
      const parent = this.parents[node] ?? -1;
      if (parent >= 0) {
        totals[parent] = (totals[parent] ?? 0) + (totals[node] ?? 0);
      }
    }
    return totals;
  }

  /** Visit each node from its root on, with whether its function runs above it. */
  private walk(
    keys: readonly string[],
    visit: (node: number, key: string, inside: boolean) => void
  ): void {
    const children = this.children();
    const open = new Map<string, number>();
    const stack = [...(children.get(-1) ?? [])];
    // A node is met again, as its complement, when all below it is done.
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const node = next < 0 ? ~next : next;
      const key = keys[this.flame.nodes[node]?.[1] ?? -1] ?? '';
      const depth = open.get(key) ?? 0;
      open.set(key, depth + (next < 0 ? -1 : 1));
      if (next >= 0) {
        visit(node, key, depth > 0);
        stack.push(~node);
        (children.get(node) ?? []).forEach(child => stack.push(child));
      }
    }
  }

  private children(): Map<number, number[]> {
    const children = new Map<number, number[]>();
    this.places.forEach((place, node) => {
      if (place === node) {
        const parent = this.parents[node] ?? -1;
        const siblings = children.get(parent) ?? [];
        siblings.push(node);
        children.set(parent, siblings);
      }
    });
    return children;
  }

  private readonly own: Float64Array;
  private readonly parents: number[];
  /** For each node itself, or for a damaged one the sound node above it. */
  private readonly places: number[];
}
