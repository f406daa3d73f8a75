import { AdmissionBudgets } from "../limits/admission-budgets.ts";
import { ManualClock } from "../testing/manual-clock.ts";
import { describeRelay } from "../testing/relay-contract.ts";
import { MemoryRelay } from "./memory-relay.ts";

describeRelay("memory", () => {
  const clock = new ManualClock();
  const relay = new MemoryRelay({
    clock,
    maxMembers: 3,
    budgets: new AdmissionBudgets({ privateAddressFactor: 1 }, clock),
  });
  return {
    first: relay,
    second: relay,
    advance: (durationMs) => clock.advance(durationMs),
    now: () => clock.now(),
    timers: () => clock.timers,
    settle: async () => {},
  };
});
