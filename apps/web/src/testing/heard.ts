import { act } from "@testing-library/react";
import { announcer } from "../wiring/announcer.ts";

/** Ends the moment, and returns what screen readers are told of it: first what interrupts them. */
export function heard(): readonly string[] {
  const before = announcer.said.getState();
  act(() => announcer.endMoment());
  const now = announcer.said.getState();
  return (["urgent", "polite"] as const).flatMap((urgency) =>
    now[urgency] === before[urgency] ? [] : now[urgency].sentences,
  );
}
