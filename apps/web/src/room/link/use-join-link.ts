import {
  buildJoinLink,
  defaultOptions,
  type Profile,
  type Servers,
  type SharedTurns,
  sharedTurnsOf,
} from "@warren/core";
import { useState } from "react";
import { serverTime } from "../../platform/network/server-time.ts";
import { useAbortableEffect } from "../../ui/hooks/use-abortable-effect.ts";
import { usePlatform } from "../../wiring/platform-context.ts";
import { useOption, useProfile, useWarren } from "../../wiring/warren-context.ts";

/** The room part of a link. */
type LinkedRoom = Pick<Profile, "roomId" | "password">;

/**
 * Writes links to rooms. While sharing servers is on, they carry my STUN servers, and one-hour credentials of TURN
 * servers with a secret. A link carries my id, so that I am recognised without comparing a safety code.
 * @param withTurn whether links carry the permanent credentials of my TURN servers, which I have to allow.
 */
export function useLinkTo(withTurn = false): (room: LinkedRoom) => string {
  const { home } = usePlatform();
  const { isVerifiable } = useWarren();
  const { clientId } = useProfile();
  const servers = useOption("servers");
  const shareServersWithOthers = useOption("shareServersWithOthers");
  const { turns } = useSharedTurns();
  const lasting = useShareableTurns();
  const shared: Servers = {
    // The recipient has the default servers anyway.
    stuns: shareServersWithOthers
      ? servers.stuns.filter((stun) => !defaultOptions.servers.stuns.includes(stun))
      : [],
    turns: [...(withTurn ? lasting : []), ...turns],
  };
  return ({ roomId, password }) =>
    buildJoinLink(home, { roomId, password, servers: shared, by: isVerifiable ? clientId : null });
}

interface JoinLinkChoice {
  /** Whether the link carries the room's password. */
  readonly withPassword?: boolean;
  /** See {@link useLinkTo}. */
  readonly withTurn?: boolean;
}

/** The link to my room. */
export function useJoinLink({ withPassword = true, withTurn = false }: JoinLinkChoice = {}): string {
  const { roomId, password } = useProfile();
  return useLinkTo(withTurn)({ roomId, password: withPassword ? password : null });
}

/** My TURN servers that a link could include as they are: those without a master secret. */
export function useShareableTurns(): Servers["turns"] {
  const servers = useOption("servers");
  const shareServersWithOthers = useOption("shareServersWithOthers");
  return shareServersWithOthers ? servers.turns.filter(({ authMethod }) => authMethod === "longterm") : [];
}

/** A displayed link is always valid for at least another half hour. */
const freshMs = 30 * 60_000;
const failureRetryMs = 30_000;
const none: SharedTurns = { turns: [], leftOut: [] };

interface CachedTurns {
  readonly staleAt: number;
  readonly shared: Promise<SharedTurns>;
}

/** Cached for all callers, because creating credentials may cost a request. */
const cache = new WeakMap<Servers["turns"], CachedTurns>();

function sharedTurns(turns: Servers["turns"]): Promise<SharedTurns> {
  const now = performance.now();
  const known = cache.get(turns);
  if (known !== undefined && known.staleAt > now) return known.shared;
  const shared = sharedTurnsOf(turns, {
    serverTime: async () => (await serverTime()) ?? Date.now(),
    fetch: (url, init) => fetch(url, init),
  });
  cache.set(turns, { staleAt: now + freshMs, shared });
  void shared.then(({ leftOut }) => {
    if (leftOut.length > 0) cache.set(turns, { staleAt: now + failureRetryMs, shared });
  });
  return shared;
}

/** My TURN servers with a secret, as one-hour credentials for a link; none while servers are not shared. */
export function useSharedTurns(): SharedTurns {
  const servers = useOption("servers");
  const shareServersWithOthers = useOption("shareServersWithOthers");
  const { turns } = servers;
  const [made, setMade] = useState({ turns, shared: none });
  useAbortableEffect(
    (signal) => {
      if (!shareServersWithOthers) return;
      const refresh = () =>
        void sharedTurns(turns).then((shared) => {
          if (!signal.aborted) setMade({ turns, shared });
        });
      refresh();
      const timer = setInterval(refresh, freshMs);
      signal.addEventListener("abort", () => clearInterval(timer));
    },
    [turns, shareServersWithOthers],
  );
  return shareServersWithOthers && made.turns === turns ? made.shared : none;
}
