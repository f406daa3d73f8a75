import type { Call } from "@warren/core";
import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";
import { BriefRouteLine } from "../people/route-line.tsx";
import { useFirstNameOf, usePerson } from "../people/use-person.ts";
import { useStore, useWarren } from "../wiring/warren-context.ts";
import { CallTime } from "./call-time.tsx";
import type { PrivateCall } from "./use-private-call.ts";

interface PrivateLineProps extends PrivateCall {
  readonly call: Call;
}

/** What kind of call of two it is until it has begun, then how long it has lasted. */
export function PrivateLine({ call, other, phase, isVideo }: PrivateLineProps) {
  const t = useT();
  const person = usePerson(other);
  const { sinceMs } = useStore(call.store);
  if (phase !== "talking" || sinceMs === null)
    return t(isVideo ? "call.ring.startVideo" : "call.ring.startVoice");
  return (
    <>
      <CallTime sinceMs={sinceMs} />
      <BriefRouteLine person={person} className="before:content-['·_']" />
    </>
  );
}

/** "3 people, Mara is sharing a screen": me, everyone who shares something, and everyone who receives what I share. */
export function RoomLine({ call }: { readonly call: Call }) {
  const t = useT();
  const nameOf = useFirstNameOf();
  const format = useFormat();
  const { local, remote, sinceMs } = useStore(call.store);
  const outgoing = useStore(useWarren().call.ringing.store, (state) => state.outgoing);
  if (outgoing !== null)
    return (
      <span role="status" className="truncate">
        {t("call.ring.calling", { names: format.list(outgoing.waiting.map(nameOf)) })}
      </span>
    );
  const others = new Set([...remote.map(({ from }) => from), ...local.flatMap(({ watchers }) => watchers)]);
  if (others.size === 0 && local.length === 0) return null; // the empty stage says so
  const people = t("call.people", { count: others.size + 1 });
  const screen = remote.findLast(({ kind }) => kind === "screen");
  const words =
    screen === undefined
      ? people
      : t("call.summary", { people, what: t("call.sharesScreen", { name: nameOf(screen.from) }) });
  return (
    <>
      {sinceMs !== null && (
        <>
          <CallTime sinceMs={sinceMs} />
          <span aria-hidden="true">·</span>
        </>
      )}
      <span className="truncate">{words}</span>
    </>
  );
}
