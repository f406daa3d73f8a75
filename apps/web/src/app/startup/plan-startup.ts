import type { Profile, Servers } from "@warren/core";
import { type Invite, type ReadLink, serversBeyond } from "../../room/join-link.ts";

/** What is known when the page opens. */
export interface StartupSituation {
  readonly link: ReadLink;
  /** Before the identity is read it has no client id, which decides nothing but who made an invite. */
  readonly profile: Omit<Profile, "clientId"> & Partial<Pick<Profile, "clientId">>;
  /** The servers of the settings. */
  readonly ownServers: Servers;
  /** Whether somebody joined a room in this browser before. */
  readonly known: boolean;
  /** The room this tab was in when it was last closed or reloaded. */
  readonly roomOfTab: string | null;
}

/**
 * What the page does when it opens: `start` shows the start page, `join` joins the stored room, `idle` leaves that to the
 * person, and `ask` shows the arrival page of a link, and `otherwise` where the answer is no.
 */
export type StartupPlan =
  | { readonly next: "start" | "join" | "idle" }
  | { readonly next: "ask"; readonly invite: Invite; readonly otherwise: "start" | "idle" };

/**
 * Decides how the page opens (SPEC §4, Join flow). Any site can open a link here and hide that it did, so a link alone
 * joins only the room that was joined here before, with the password it had and the servers in use.
 */
export function planStartup({ link, profile, ownServers, known, roomOfTab }: StartupSituation): StartupPlan {
  const invite = inviteOf(link, profile, ownServers);
  // Browsers that opened a link in an earlier version stored its room unconfirmed.
  const isConfirmed =
    invite.roomId === profile.roomId && invite.password === profile.password && !profile.initialJoin;
  const namesRoom = link.roomId !== null || link.password !== null || profile.initialJoin;
  if (invite.newServers !== null || (namesRoom && !(known && isConfirmed)))
    return { next: "ask", invite, otherwise: known ? "idle" : "start" };
  if (!known) return { next: "start" };
  // A reload does not leave the room: transfers under way resume.
  const joins = link.join || profile.autoJoin || roomOfTab === profile.roomId;
  return { next: joins ? "join" : "idle" };
}

/** What a link asks for; what it does not say is as stored. */
export function inviteOf(link: ReadLink, profile: StartupSituation["profile"], ownServers: Servers): Invite {
  const roomId = link.roomId ?? profile.roomId;
  const fresh = serversBeyond(ownServers, link.servers);
  return {
    roomId,
    // A link to another room says all about its password; one to the stored room may leave it out.
    password: link.password ?? (roomId === profile.roomId ? profile.password : null),
    passwordFromLink: link.password !== null,
    newServers: fresh.stuns.length + fresh.turns.length > 0 ? fresh : null,
    by: link.by === profile.clientId ? null : link.by,
  };
}
