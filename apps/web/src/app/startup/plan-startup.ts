import type { Profile, ProfileChange, Servers } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { type ReadLink, serversBeyond } from "../../components/join-link.ts";

/** What is known when the page opens. */
export interface StartupSituation {
  readonly link: ReadLink;
  readonly profile: Profile;
  /** The servers of the settings. */
  readonly ownServers: Servers;
  /** Whether this browser has had its first run. */
  readonly greeted: boolean;
  /** Whether somebody joined a room in this browser before. */
  readonly known: boolean;
  /** The room this tab was in when it was last closed or reloaded. */
  readonly roomOfTab: string | null;
  /** Whether another site's page led here, so that joining at once may not be what the person meant. */
  readonly foreignReferrer: boolean;
}

/** What the page does when it opens. */
export interface StartupPlan {
  /** What the link changes in the profile. */
  readonly profileChange: ProfileChange | null;
  /** Servers of the link that this browser does not use yet: only after the person agreed, and only for this room. */
  readonly newServers: Servers | null;
  /** Whether the person still has to find a room, because they never joined one and no link named one. */
  readonly choosesRoom: boolean;
  /** Whether the first-run dialog is due: a link needs none, because its arrival page is the first run. */
  readonly isFirstRun: boolean;
  readonly passwordFromLink: boolean;
  /** Who made the link, to be known by it when met; never ourselves. */
  readonly inviter: ClientId | null;
  /** `ask` shows the arrival page, `join` joins at once, `rest` leaves joining to the person. */
  readonly next: "ask" | "join" | "rest";
}

/** Decides how the page opens (SPEC §4, Join flow). */
export function planStartup(situation: StartupSituation): StartupPlan {
  const { link, profile, ownServers } = situation;
  const roomId = link.roomId ?? profile.roomId;
  // A link to another room says all about its password; one to the stored room may leave it out.
  const password = link.password ?? (roomId === profile.roomId ? profile.password : null);
  const differs = roomId !== profile.roomId || password !== profile.password;
  const fresh = serversBeyond(ownServers, link.servers);
  const choosesRoom = !situation.known && link.roomId === null && !profile.initialJoin;
  return {
    profileChange: differs ? { roomId, password, initialJoin: true } : null,
    newServers: fresh.stuns.length + fresh.turns.length > 0 ? fresh : null,
    choosesRoom,
    isFirstRun: choosesRoom && !situation.greeted,
    passwordFromLink: link.password !== null,
    inviter: link.by === profile.clientId ? null : link.by,
    next: nextOf(situation, differs),
  };
}

function nextOf(
  { link, profile, known, roomOfTab, foreignReferrer }: StartupSituation,
  differs: boolean,
): StartupPlan["next"] {
  // A room that a link named earlier and nobody confirmed still waits for that.
  if (!known || profile.initialJoin) return "ask";
  if (link.join) return foreignReferrer ? "ask" : "join";
  if (differs) return "ask";
  // A reload is no leaving: transfers under way go on.
  return profile.autoJoin || roomOfTab === profile.roomId ? "join" : "rest";
}
