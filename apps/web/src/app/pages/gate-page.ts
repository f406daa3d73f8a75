import type { Invite } from "../../room/join/invite.ts";
import type { StartupPlan } from "../startup/plan-startup.ts";

/** How the page continues when an invite is declined. */
type Otherwise = Extract<StartupPlan, { next: "ask" }>["otherwise"];

/** The page before the app. `room` shows the app, or asks about the room of the profile while no contact or conversation can be shown. */
export type GatePage =
  | { readonly kind: "start" | "room" }
  /** Asks about an invite; without an invite, about the room of the profile. */
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
      // The page that asks shows why the join failed and how to fix it.
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

/** The page that follows if an invite that arrives on this page is declined. */
export function otherwiseOf(page: GatePage): Otherwise {
  if (page.kind === "ask") return page.otherwise;
  return page.kind === "start" ? "start" : "idle";
}
