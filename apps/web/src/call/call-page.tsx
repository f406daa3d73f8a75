import type { Call } from "@warren/core";
import { useEffect, useState } from "react";
import { useT } from "../i18n/use-t.ts";
import { useRoomName } from "../room/room-name.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { PhoneIcon } from "../ui/icons.ts";
import { useDevice } from "../wiring/device-context.tsx";
import { useRoom, useStore, useWarren } from "../wiring/warren-context.tsx";
import { CallControls } from "./call-controls.tsx";
import { Stage } from "./stage/stage.tsx";
import { focusedItem, stageItems } from "./stage/stage-items.ts";
import { useFirstNameOf } from "./use-first-name-of.ts";
import { WhomToCall } from "./whom-to-call.tsx";

/** The page of the call: what everyone shares, and my controls. */
export function CallPage() {
  const t = useT();
  const name = useRoomName();
  const { media } = useDevice();
  const warren = useWarren();
  const call = useStore(warren.call.store);
  const room = useRoom();
  const isInRoom = room.status === "connected";
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    if (!isInRoom || call !== null) return;
    setFailed(false);
    warren.call.open().catch(() => setFailed(true)); // the room was left meanwhile, or the code cannot be fetched
  }, [warren, isInRoom, call]);
  const empty = (title: string, line: string) => (
    <div className="flex flex-1 flex-col bg-surface">
      <header className="flex h-14 shrink-0 items-center px-5">
        <h1 className="min-w-0 truncate text-heading-sm">{name}</h1>
      </header>
      <div className="flex flex-1 items-center justify-center p-5">
        <EmptyState icon={PhoneIcon} title={title}>
          {line}
        </EmptyState>
      </div>
    </div>
  );
  return (
    <section aria-label={t("call.title")} className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
      {media === null ? (
        empty(t("call.noSupport"), t("call.secureContext"))
      ) : !isInRoom ? (
        empty(t("call.noStream"), t("call.noRoomLine"))
      ) : call === null ? (
        hasFailed && empty(t("call.notLoaded"), t("call.notLoadedLine"))
      ) : (
        <OpenCall call={call} />
      )}
    </section>
  );
}

function OpenCall({ call }: { readonly call: Call }) {
  const t = useT();
  const name = useRoomName();
  const state = useStore(call.store);
  const [chosen, setChosen] = useState<string | "grid" | null>(null);
  const items = stageItems(state);
  const focused = focusedItem(items, chosen);
  // A focused screen keeps the focus when someone shares another.
  if (focused !== null && focused.id !== chosen) setChosen(focused.id);
  const hasScreen = focusedItem(items, null) !== null;
  // Opening the stage enables pictures; sound needs a click of its own.
  useEffect(() => call.setVideoEnabled(true), [call]);
  return (
    <>
      <header className="flex h-14 shrink-0 items-center justify-between gap-4 px-5 max-md:px-4">
        <div className="min-w-0">
          <h1 className="truncate text-heading-sm">{name}</h1>
          <p className="truncate text-meta text-text-2">
            <Summary call={call} />
          </p>
        </div>
        {items.length > 1 && (focused !== null || hasScreen) && (
          <Button
            variant="ghost"
            aria-pressed={focused === null}
            onClick={() => setChosen(focused === null ? null : "grid")}
          >
            {t(focused === null ? "call.speaker" : "call.grid")}
          </Button>
        )}
      </header>
      {items.length === 0 ? (
        <div className="flex min-h-0 flex-1 items-center justify-center overflow-y-auto p-5">
          <div className="my-auto w-full">
            <EmptyState icon={PhoneIcon} title={t("call.noStream")}>
              {t("call.line")}
            </EmptyState>
            <WhomToCall />
          </div>
        </div>
      ) : (
        <Stage call={call} items={items} focused={focused} onFocus={setChosen} />
      )}
      <CallControls call={call} />
    </>
  );
}

/** "3 people, Mara is sharing a screen": me, everyone who shares something, and everyone who receives what I share. */
function Summary({ call }: { readonly call: Call }) {
  const t = useT();
  const nameOf = useFirstNameOf();
  const { local, remote } = useStore(call.store);
  const others = new Set([...remote.map(({ from }) => from), ...local.flatMap(({ watchers }) => watchers)]);
  const people = t("call.people", { count: others.size + 1 });
  const screen = remote.findLast(({ kind }) => kind === "screen");
  return screen === undefined
    ? people
    : t("call.summary", { people, what: t("call.sharesScreen", { name: nameOf(screen.from) }) });
}
