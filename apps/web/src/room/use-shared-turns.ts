import { type Servers, type SharedTurns, sharedTurnsOf } from "@warren/core";
import { useEffect, useState } from "react";
import { serverTime } from "../platform/server-time.ts";
import { useOptions } from "../ui/warren-context.tsx";

/** A displayed link is always valid for at least another half hour. */
const freshMs = 30 * 60_000;
const failureRetryMs = 30_000;
const none: SharedTurns = { turns: [], leftOut: [] };

interface Made {
  readonly staleAt: number;
  readonly shared: Promise<SharedTurns>;
}

/** Cached for all callers, because creating credentials may cost a request. */
const madeFor = new WeakMap<Servers["turns"], Made>();

function sharedTurns(turns: Servers["turns"]): Promise<SharedTurns> {
  const now = performance.now();
  const known = madeFor.get(turns);
  if (known !== undefined && known.staleAt > now) return known.shared;
  const shared = sharedTurnsOf(turns, {
    serverTime: async () => (await serverTime()) ?? Date.now(),
    fetch: (url, init) => fetch(url, init),
  });
  madeFor.set(turns, { staleAt: now + freshMs, shared });
  void shared.then(({ leftOut }) => {
    if (leftOut.length > 0) madeFor.set(turns, { staleAt: now + failureRetryMs, shared });
  });
  return shared;
}

/** My TURN servers with a secret, as one-hour credentials for a link; none while servers are not shared. */
export function useSharedTurns(): SharedTurns {
  const { servers, shareServersWithOthers } = useOptions();
  const { turns } = servers;
  const [made, setMade] = useState({ turns, shared: none });
  useEffect(() => {
    if (!shareServersWithOthers) return;
    let isCurrent = true;
    const refresh = () =>
      void sharedTurns(turns).then((shared) => {
        if (isCurrent) setMade({ turns, shared });
      });
    refresh();
    const timer = setInterval(refresh, freshMs);
    return () => {
      isCurrent = false;
      clearInterval(timer);
    };
  }, [turns, shareServersWithOthers]);
  return shareServersWithOthers && made.turns === turns ? made.shared : none;
}
