import fc from "fast-check";
import { expect, it } from "vitest";
import { backoffDelayMs } from "./backoff.ts";

it("waits longer with each attempt, at least a little and never beyond the cap", () => {
  const policy = { baseMs: 500, capMs: 30_000 };
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (attempt, random) => {
        const delay = backoffDelayMs(policy, attempt, random);
        expect(delay).toBeGreaterThanOrEqual(100);
        expect(delay).toBeLessThanOrEqual(policy.capMs);
        expect(backoffDelayMs(policy, attempt + 1, random)).toBeGreaterThanOrEqual(delay);
      },
    ),
  );
});
