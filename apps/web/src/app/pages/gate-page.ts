import type { Invite } from "../../room/join/invite.ts";
import type { StartupPlan } from "../startup/plan-startup.ts";

/** What follows when an invite is declined. */
type Otherwise = Extract<StartupPlan, { next: "ask" }>["otherwise"];

/** What is shown before the app; `room` shows the app, or asks about the room of the profile where there is nothing to look at. */
export type GatePage =
  | { readonly kind: "start" | "room" }
  /** Asks about an invite, or about the room of the profile. */
  | { readonly kind: "ask"; readonly invite: Invite | null; readonly otherwise: Otherwise };

type GateEvent =
  | { readonly type: "joined" | "join-failed" | "answered" | "declined" }
  | { readonly type: "invited"; readonly invite: Invite; readonly wasInRoom: boolean };

export function firstPage(plan: StartupPlan): GatePage {
  if (plan.next === "ask") return { kind: "ask", invite: plan.invite, otherwise: plan.otherwise };
  return { kind: plan.next === "start" ? "start" : "room" };
}

export function nextPage(page: GatePage, event: GateEvent): GatePage {
  switch (event.type) {
    case "joined":
      return { kind: "room" };
    case "join-failed":
      // That page shows why the join failed and how to fix it.
      return page.kind === "start" ? { kind: "ask", invite: null, otherwise: "start" } : page;
    case "invited": {
      const { invite, wasInRoom } = event;
      return { kind: "ask", invite, otherwise: wasInRoom ? "join" : otherwiseOf(page) };
    }
    case "answered":
      return page.kind === "ask" ? { ...page, invite: null } : page;
    case "declined":
      return { kind: otherwiseOf(page) === "start" ? "start" : "room" };
  }
}

/** What a declined invite leads back to, if it comes now. */
export function otherwiseOf(page: GatePage): Otherwise {
  if (page.kind === "ask") return page.otherwise;
  return page.kind === "start" ? "start" : "idle";
}
