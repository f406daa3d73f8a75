import type { RoomState } from "@warren/core";
import { describe, expect, it } from "vitest";
import { fakePeer, roomWith } from "../../testing/fake-records.ts";
import { lastingState } from "./banners.tsx";

function lost(state: RoomState): RoomState {
  return state.status === "connected" ? { ...state, signalling: "reconnecting" } : state;
}

describe("the state told over every page", () => {
  it("is none while all is well", () => {
    expect(lastingState(roomWith([fakePeer(1, "Mara")]), true)).toBeNull();
    expect(lastingState({ status: "disconnected", error: null }, true)).toBeNull();
  });

  it("is lost signalling only while sessions with others live on", () => {
    expect(lastingState(lost(roomWith([fakePeer(1, "Mara")])), true)).toBe("signalling-lost");
    expect(lastingState(lost(roomWith([])), true)).toBeNull();
  });

  it("is the missing network before anything else", () => {
    expect(lastingState(lost(roomWith([fakePeer(1, "Mara")])), false)).toBe("offline");
  });

  it("is the other tab that took the room over", () => {
    const error = { code: "signalling-replaced", values: {} } as const;
    expect(lastingState({ status: "disconnected", error }, true)).toBe("other-tab");
  });
});
