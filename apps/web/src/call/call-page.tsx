import { type Call, type ConversationId, everyone } from "@warren/core";
import { type ReactNode, Suspense, useEffect, useState } from "react";
import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";
import { useRoomName } from "../room/room-name.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { ChatIcon, PhoneIcon } from "../ui/icons.ts";
import { useDevice } from "../wiring/device-context.tsx";
import { useRoom, useStore, useWarren } from "../wiring/warren-context.tsx";
import { CallControls } from "./call-controls.tsx";
import { Stage } from "./stage/stage.tsx";
import { focusedItem, stageItems } from "./stage/stage-items.ts";
import { useFirstNameOf } from "./use-first-name-of.ts";
import { WhomToCall } from "./whom-to-call.tsx";

interface CallPageProps {
  /** The conversation beside the call. */
  readonly conversation: (id: ConversationId, close: () => void) => ReactNode;
}

/** The page of the call: what everyone shares, my controls, and the conversation in a drawer. */
export function CallPage({ conversation }: CallPageProps) {
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
  const empty = (title: string, line: ReactNode) => (
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
        empty(
          t("call.noSupport"),
          <>
            {t("call.secureContext")}
            <br />
            {t("unsupported.https")}
          </>,
        )
      ) : !isInRoom ? (
        empty(t("call.noStream"), t("call.noRoomLine"))
      ) : call === null ? (
        hasFailed && empty(t("call.notLoaded"), t("call.notLoadedLine"))
      ) : (
        <OpenCall call={call} conversation={conversation} />
      )}
    </section>
  );
}

function OpenCall({ call, conversation }: CallPageProps & { readonly call: Call }) {
  const t = useT();
  const name = useRoomName();
  const state = useStore(call.store);
  const [chosen, setChosen] = useState<string | "grid" | null>(null);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const partner = useStore(useWarren().call.ringing.store, (ringing) => ringing.partner) ?? everyone;
  const items = stageItems(state);
  const focused = focusedItem(items, chosen);
  // A focused screen keeps the focus when someone shares another.
  if (focused !== null && focused.id !== chosen) setChosen(focused.id);
  const hasScreen = focusedItem(items, null) !== null;
  // Opening the stage enables pictures; sound needs a click of its own.
  useEffect(() => call.setVideoEnabled(true), [call]);
  return (
    <div className="relative flex min-h-0 min-w-0 flex-1">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <header className="flex h-14 shrink-0 items-center gap-2 px-5 max-md:px-4">
          <div className="min-w-0 flex-1">
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
          <DrawerButton
            conversationId={partner}
            isOpen={isDrawerOpen}
            onClick={() => setDrawerOpen(!isDrawerOpen)}
          />
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
      </div>
      {isDrawerOpen && (
        <div
          id={drawerId}
          className="flex min-h-0 w-[380px] shrink-0 border-line border-l max-lg:w-[320px] max-md:absolute max-md:inset-0 max-md:z-header max-md:w-full max-md:border-l-0"
        >
          <Suspense fallback={null}>{conversation(partner, () => setDrawerOpen(false))}</Suspense>
        </div>
      )}
    </div>
  );
}

const drawerId = "call-conversation";

interface DrawerButtonProps {
  readonly conversationId: ConversationId;
  readonly isOpen: boolean;
  readonly onClick: () => void;
}

/** Opens the conversation beside the call, and says what is unread there. */
function DrawerButton({ conversationId, isOpen, onClick }: DrawerButtonProps) {
  const t = useT();
  const { chat } = useWarren();
  const unread = useStore(chat.store, (state) => state.conversations[conversationId]?.unread ?? 0);
  return (
    <span className="relative shrink-0">
      <IconButton
        icon={ChatIcon}
        label={t("call.conversation")}
        aria-expanded={isOpen}
        aria-controls={isOpen ? drawerId : undefined}
        aria-pressed={isOpen}
        onClick={onClick}
      />
      {unread > 0 && (
        <Badge
          count={unread}
          label={t("nav.unread", { count: unread })}
          className="pointer-events-none absolute -top-1 -right-1"
        />
      )}
    </span>
  );
}

/** "3 people, Mara is sharing a screen": me, everyone who shares something, and everyone who receives what I share. */
function Summary({ call }: { readonly call: Call }) {
  const t = useT();
  const nameOf = useFirstNameOf();
  const format = useFormat();
  const { local, remote } = useStore(call.store);
  const outgoing = useStore(useWarren().call.ringing.store, (state) => state.outgoing);
  if (outgoing !== null) return t("call.ring.calling", { names: format.list(outgoing.waiting.map(nameOf)) });
  const others = new Set([...remote.map(({ from }) => from), ...local.flatMap(({ watchers }) => watchers)]);
  const people = t("call.people", { count: others.size + 1 });
  const screen = remote.findLast(({ kind }) => kind === "screen");
  return screen === undefined
    ? people
    : t("call.summary", { people, what: t("call.sharesScreen", { name: nameOf(screen.from) }) });
}
