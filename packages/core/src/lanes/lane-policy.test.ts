import { describe, expect, it } from "vitest";
import {
  advanceLanes,
  initialLaneState,
  isBeginning,
  isIdle,
  isSettled,
  type LaneSample,
  type LaneState,
  openAhead,
} from "./lane-policy.ts";

const periodMs = 500;
const kib = 1024;

/** A path: the throughput in bytes per second of a number of connections together. */
type Path = (connections: number) => number;
const each =
  (bytesPerSecond: number): Path =>
  (connections) =>
    connections * bytesPerSecond;
const line =
  (bytesPerSecond: number): Path =>
  () =>
    bytesPerSecond;

/** Feeds the policy with samples of a path, and provides the desired connections. */
class Walk {
  state: LaneState = initialLaneState;
  connections = 1;
  /** All desired numbers of connections, in order. */
  readonly wanted: number[] = [1];
  /** Whether requested lanes open. */
  lanesCome = true;
  path: Path;
  /** The bytes of audio and video per second. */
  mediaRate = 0;
  #mediaBytes = 0;
  #atMs = 1_700_000_000_000;
  #movedBytes = 0;

  constructor(path: Path) {
    this.path = path;
  }

  get isBeginning(): boolean {
    return isBeginning(this.state, this.#atMs);
  }

  go(seconds: number): void {
    for (let passedMs = 0; passedMs < seconds * 1_000; passedMs += periodMs) this.#step();
  }

  /** Offers a large file over a short path. */
  offer(): void {
    this.#step(openAhead);
  }

  #step(advance = advanceLanes): void {
    const sample: LaneSample = {
      atMs: this.#atMs,
      movedBytes: this.#movedBytes,
      mediaBytes: this.#mediaBytes,
      connections: this.connections,
    };
    this.state = advance(this.state, sample);
    if (this.wanted.at(-1) !== this.state.wanted) this.wanted.push(this.state.wanted);
    if (this.state.wanted < this.connections || this.lanesCome) this.connections = this.state.wanted;
    this.#atMs += periodMs;
    this.#mediaBytes += (this.mediaRate * periodMs) / 1_000;
    this.#movedBytes += (this.path(this.connections) * periodMs) / 1_000;
  }
}

describe("the lane policy", () => {
  it("doubles the connections up to eight while each step increases the throughput", () => {
    const walk = new Walk(each(250 * kib));
    walk.go(20);
    expect(walk.wanted).toEqual([1, 2, 4, 8]);
  });

  it("measures each step for two seconds", () => {
    const walk = new Walk(each(250 * kib));
    walk.go(2);
    expect(walk.wanted).toEqual([1]);
    walk.go(1);
    expect(walk.wanted).toEqual([1, 2]);
    walk.go(1.5);
    expect(walk.wanted).toEqual([1, 2]);
  });

  it("reverts a step that gained less than 15 %, and retries after 15 s, then after longer waits", () => {
    const walk = new Walk((connections) => (connections > 2 ? 560 : connections * 250) * kib);
    walk.go(20);
    expect(walk.wanted).toEqual([1, 2, 4, 2]);
    walk.go(5);
    expect(walk.wanted).toEqual([1, 2, 4, 2]);
    walk.go(15);
    expect(walk.wanted).toEqual([1, 2, 4, 2, 4, 2]);
    walk.go(20);
    expect(walk.wanted).toEqual([1, 2, 4, 2, 4, 2]);
  });

  it("does not revert a step after two bad seconds", () => {
    let bad = false;
    const walk = new Walk((connections) => (bad ? 0.4 : 1) * connections * 250 * kib);
    walk.go(3);
    expect(walk.wanted).toEqual([1, 2]);
    bad = true;
    walk.go(3);
    expect(walk.wanted).toEqual([1, 2]);
    bad = false;
    walk.go(15);
    expect(walk.wanted).toEqual([1, 2, 4, 8]);
  });

  it("keeps a step that gained 15 %", () => {
    const walk = new Walk((connections) => (connections === 1 ? 500 : 580) * kib);
    walk.go(5.5);
    expect(walk.wanted).toEqual([1, 2, 4]);
  });

  it("opens all eight at once on a fast path, and keeps them without further gain", () => {
    const walk = new Walk(line(12_000 * kib));
    walk.go(1);
    expect(walk.wanted).toEqual([1, 8]);
    walk.go(120);
    expect(walk.wanted).toEqual([1, 8]);
    expect(isSettled(walk.state)).toBe(true);
  });

  it("opens none for a short, fast file", () => {
    const walk = new Walk(line(6_000 * kib));
    walk.go(0.5);
    walk.path = line(0);
    walk.go(5);
    expect(walk.wanted).toEqual([1]);
  });

  it("reverts eight connections that are no longer fast, and waits before it tries them again", () => {
    const walk = new Walk((connections) => (connections === 1 ? 6_000 : 2_000) * kib);
    walk.go(9);
    expect(walk.wanted).toEqual([1, 8, 1]);
    walk.go(13);
    expect(walk.wanted).toEqual([1, 8, 1]);
    walk.go(5);
    expect(walk.wanted).toEqual([1, 8, 1, 8]);
  });

  it("opens all eight in advance for an offered file, and keeps them until it starts and while it is fast", () => {
    const walk = new Walk(line(0));
    walk.offer();
    expect(walk.wanted).toEqual([1, 8]);
    walk.go(30);
    walk.offer();
    walk.go(40);
    walk.path = line(12_000 * kib);
    walk.go(30);
    expect(walk.wanted).toEqual([1, 8]);
    expect(isSettled(walk.state)).toBe(true);
  });

  it("closes connections opened in advance for a file that is not accepted within a minute", () => {
    const walk = new Walk(line(0));
    walk.offer();
    walk.go(61);
    expect(walk.wanted).toEqual([1, 8, 1]);
  });

  it("reverts connections opened in advance for a slow file, and waits before it does that again", () => {
    const walk = new Walk(line(1_000 * kib));
    walk.offer();
    walk.go(9);
    expect(walk.wanted).toEqual([1, 8, 1]);
    walk.offer();
    expect(walk.wanted).toEqual([1, 8, 1]);
  });

  it("keeps open connections for an offered file after a long idle time", () => {
    const walk = new Walk(line(12_000 * kib));
    walk.go(10);
    walk.path = line(0);
    walk.go(59.5);
    walk.offer();
    walk.go(30);
    expect(walk.wanted).toEqual([1, 8]);
  });

  it("is no longer at the beginning after the first traffic has ended", () => {
    const walk = new Walk(each(250 * kib));
    walk.go(1);
    walk.path = line(0);
    walk.go(2);
    expect(walk.isBeginning).toBe(false);
  });

  it("grows from two fast connections to eight", () => {
    const walk = new Walk(each(3_000 * kib));
    walk.go(6);
    expect(walk.wanted).toEqual([1, 2, 8]);
  });

  it("is at the beginning until the throughput of one connection is known", () => {
    const walk = new Walk(each(250 * kib));
    walk.go(1.5);
    expect(walk.isBeginning).toBe(true);
    walk.go(1.5);
    expect(walk.isBeginning).toBe(false);
  });

  it("drops the lanes after a minute without traffic, and starts again with new traffic", () => {
    const walk = new Walk(each(250 * kib));
    walk.go(20);
    walk.path = line(100);
    walk.go(59);
    expect(walk.wanted).toEqual([1, 2, 4, 8]);
    walk.go(2);
    expect(walk.wanted).toEqual([1, 2, 4, 8, 1]);
    walk.go(60);
    expect(isIdle(walk.state, Number.MAX_SAFE_INTEGER)).toBe(true);
    expect(walk.wanted).toEqual([1, 2, 4, 8, 1]);
    walk.path = each(250 * kib);
    walk.go(20);
    expect(walk.wanted).toEqual([1, 2, 4, 8, 1, 2, 4, 8]);
  });

  it("excludes an idle time from the measurement of later traffic", () => {
    const walk = new Walk(each(250 * kib));
    walk.go(3);
    expect(walk.connections).toBe(2);
    walk.path = line(0);
    walk.go(5);
    walk.path = each(250 * kib);
    walk.go(20);
    expect(walk.wanted.filter((wanted, index) => wanted < (walk.wanted[index - 1] ?? 0))).toEqual([]);
    expect(walk.connections).toBe(8);
  });

  it("gives up when lanes do not open, and retries later", () => {
    const walk = new Walk(each(250 * kib));
    walk.lanesCome = false;
    walk.go(25);
    expect(walk.wanted).toEqual([1, 2, 1]);
    walk.lanesCome = true;
    walk.go(40);
    expect(walk.connections).toBe(8);
  });

  it("continues with the remaining lanes when some fail, and soon opens new ones", () => {
    const walk = new Walk(each(250 * kib));
    walk.go(20);
    walk.connections = 5;
    walk.lanesCome = false;
    walk.go(1);
    expect(walk.state.wanted).toBe(5);
    walk.lanesCome = true;
    walk.go(10);
    expect(walk.connections).toBe(8);
  });

  it("counts lanes that the peer opened", () => {
    const walk = new Walk(each(250 * kib));
    walk.connections = 4;
    walk.go(1);
    expect(walk.state.wanted).toBe(4);
    walk.go(10);
    expect(walk.connections).toBe(8);
  });

  describe("during a call", () => {
    it("keeps files on the session's own connection, and adds lanes again afterwards", () => {
      const walk = new Walk(each(8_000_000));
      walk.go(10);
      expect(walk.connections).toBe(8);
      walk.mediaRate = 4_000;
      walk.go(1);
      expect(walk.connections).toBe(1);
      walk.go(60);
      expect(walk.wanted).toEqual([1, 8, 1]);
      walk.mediaRate = 0;
      walk.go(20);
      expect(walk.connections).toBe(8);
    });

    it("opens none in advance", () => {
      const walk = new Walk(each(0));
      walk.mediaRate = 4_000;
      walk.go(1);
      walk.offer();
      walk.go(30);
      expect(walk.wanted).toEqual([1]);
    });

    it("keeps them during silence in speech", () => {
      const walk = new Walk(each(8_000_000));
      walk.mediaRate = 4_000;
      walk.go(2);
      walk.mediaRate = 0;
      walk.go(4);
      expect(walk.connections).toBe(1);
    });
  });
});
