import { describe, expect, it } from "vitest";
import { ProgressMeter } from "./progress-meter.ts";

/** Samples ten times a second while `bytesAt(ms)` grows. */
function measure(meter: ProgressMeter, fromMs: number, toMs: number, bytesAt: (ms: number) => number) {
  let speed = meter.sample(fromMs, bytesAt(fromMs));
  for (let ms = fromMs + 100; ms <= toMs; ms += 100) speed = meter.sample(ms, bytesAt(ms));
  return speed;
}

describe("the progress meter", () => {
  it("reports nothing before two seconds of data", () => {
    expect(measure(new ProgressMeter(10_000), 0, 1_900, (ms) => ms)).toEqual({
      bytesPerSecond: null,
      secondsLeft: null,
    });
  });

  it("counts the two seconds from the first byte, not from the start", () => {
    const meter = new ProgressMeter(10_000);
    measure(meter, 0, 5_000, () => 0);
    expect(measure(meter, 5_100, 6_900, (ms) => ms - 5_000).bytesPerSecond).toBeNull();
    expect(measure(meter, 7_000, 7_100, (ms) => ms - 5_000).bytesPerSecond).toBeCloseTo(1_000);
  });

  it("averages the last second and derives the time left", () => {
    const meter = new ProgressMeter(10_000);
    expect(measure(meter, 0, 3_000, (ms) => ms)).toEqual({ bytesPerSecond: 1_000, secondsLeft: 7 });
    expect(measure(meter, 3_100, 4_100, (ms) => 3_000 + (ms - 3_000) * 2).bytesPerSecond).toBeCloseTo(2_000);
  });

  it("shows no speed while nothing moves", () => {
    const meter = new ProgressMeter(10_000);
    measure(meter, 0, 3_000, (ms) => ms);
    expect(measure(meter, 3_100, 4_200, () => 3_000).bytesPerSecond).toBeNull();
  });
});
