import { type Call, type ConversationId, everyone, isAround, peersOf } from "@warren/core";
import { type ReactNode, Suspense, useEffect, useState } from "react";
import { Link } from "wouter";
import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";
import { BriefRouteLine } from "../people/route-line.tsx";
import { firstNameOf } from "../people/shown-name.ts";
import { useFirstNameOf, useName, usePerson } from "../people/use-person.ts";
import { useRoomName } from "../room/room-name.ts";
import { useChatPath } from "../room/use-chat-path.ts";
import { useRoomActions } from "../room/use-room-actions.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { useBreakpoint } from "../ui/hooks/use-media-query.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { BackIcon, ChatIcon, PhoneIcon } from "../ui/icons.ts";
import { usePlatform } from "../wiring/platform-context.ts";
import { useRoom, useStore, useWarren } from "../wiring/warren-context.ts";
import { CallControls } from "./call-controls.tsx";
import { CallHint } from "./call-hint.tsx";
import { CallTime } from "./call-time.tsx";
import { PeopleToCall } from "./people-to-call.tsx";
import { Stage } from "./stage/stage.tsx";
import { focusedItem, stageItems } from "./stage/stage-items.ts";
import { type PrivateCall, usePrivateCall } from "./use-private-call.ts";

interface CallPageProps {
  /** The conversation beside the call. */
  readonly conversation: (id: ConversationId, close: () => void) => ReactNode;
}

/** The page of the call: what everyone shares, my controls, and the conversation in a drawer. */
export default function CallPage({ conversation }: CallPageProps) {
  const t = useT();
  const name = useRoomName();
  const { media } = usePlatform();
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
      <Header title={name} />
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
  const roomName = useRoomName();
  const state = useStore(call.store);
  const [chosen, setChosen] = useState<string | "grid" | null>(null);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const phone = useBreakpoint() === "phone";
  const privateCall = usePrivateCall(call);
  const other = privateCall?.other ?? null;
  const otherName = useName(other ?? "");
  const conversationId = other ?? everyone;
  const note = {
    calling: t("call.ring.calling", { names: firstNameOf(otherName) }),
    connecting: t("call.connecting"),
    talking: null,
  };
  const items = stageItems(state, other);
  const focused = focusedItem(items, chosen);
  // A focused screen keeps the focus when someone shares another.
  if (focused !== null && focused.id !== chosen) setChosen(focused.id);
  const hasScreen = focusedItem(items, null) !== null;
  // Opening the stage enables pictures; sound needs a click of its own.
  useEffect(() => call.setVideoEnabled(true), [call]);
  return (
    <div className="grid min-h-0 min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto_auto] grid-rows-[minmax(0,1fr)_auto]">
      <div className="col-start-1 row-start-1 flex min-h-0 min-w-0 flex-col low:row-end-3">
        <Header
          title={other === null ? roomName : otherName}
          line={privateCall === null ? <Summary call={call} /> : <PrivateLine call={call} {...privateCall} />}
        >
          {!phone && <CallHint call={call} isEmpty={items.length === 0} className="shrink" />}
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
            conversationId={conversationId}
            isOpen={isDrawerOpen}
            onClick={() => setDrawerOpen(!isDrawerOpen)}
          />
        </Header>
        <div className="relative flex min-h-0 min-w-0 flex-1 flex-col">
          {items.length === 0 ? (
            <EmptyStage />
          ) : (
            <Stage
              call={call}
              items={items}
              focused={focused}
              onFocus={setChosen}
              privateCall={privateCall && { note: note[privateCall.phase] }}
            />
          )}
          {phone && (
            <CallHint
              call={call}
              isEmpty={items.length === 0}
              className="pointer-events-none absolute inset-x-3 bottom-2"
            />
          )}
        </div>
      </div>
      <CallControls call={call} />
      {isDrawerOpen && (
        <div
          id={drawerId}
          className="col-start-3 row-start-1 row-end-3 flex min-h-0 w-[380px] border-line border-l max-lg:w-[320px] max-md:z-header max-md:col-start-1 max-md:row-end-2 max-md:w-full max-md:border-l-0 low:z-header low:col-start-1 low:row-end-3 low:w-full low:border-l-0"
        >
          <Suspense fallback={null}>{conversation(conversationId, () => setDrawerOpen(false))}</Suspense>
        </div>
      )}
    </div>
  );
}

interface HeaderProps {
  readonly title: string;
  /** Below the title. */
  readonly line?: ReactNode;
  readonly children?: ReactNode;
}

/** The head of the page; where the page takes the whole window, it leads back. */
function Header({ title, line, children }: HeaderProps) {
  const t = useT();
  const chatPath = useChatPath();
  return (
    <header className="flex h-14 shrink-0 items-center gap-2 px-5 low:h-12 low:pl-1 max-md:pr-2 max-md:pl-1">
      <Link
        to={chatPath}
        aria-label={t("common.back")}
        className="hidden size-11 shrink-0 items-center justify-center rounded-control text-text-2 low:flex max-md:flex"
      >
        <BackIcon size={22} />
      </Link>
      <div className="min-w-24 flex-1">
        <h1 className="truncate text-heading-sm">{title}</h1>
        {line !== undefined && <p className="flex min-w-0 gap-1.5 text-meta text-text-2">{line}</p>}
      </div>
      {children}
    </header>
  );
}

/** What is there before anybody shares anything: whom to call, or to let in. */
function EmptyStage() {
  const t = useT();
  const { shareRoom } = useRoomActions();
  const isAlone = useStore(useWarren().room.store, (state) => !Object.values(peersOf(state)).some(isAround));
  return (
    <div className="flex min-h-0 flex-1 overflow-y-auto px-5 pt-5 pb-14">
      <div className="m-auto flex flex-col items-center gap-6 max-md:w-full low:flex-row low:gap-4">
        <EmptyState
          icon={PhoneIcon}
          title={t("call.noStream")}
          action={
            isAlone && (
              <Button variant="primary" onClick={() => void shareRoom()}>
                {t("people.shareRoom")}
              </Button>
            )
          }
        >
          {t(isAlone ? "call.ring.nobodyHere" : "call.line")}
        </EmptyState>
        <PeopleToCall />
      </div>
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

interface PrivateLineProps extends PrivateCall {
  readonly call: Call;
}

/** What kind of call of two it is until it has begun, then how long it has lasted. */
function PrivateLine({ call, other, phase }: PrivateLineProps) {
  const t = useT();
  const person = usePerson(other);
  const { local, sinceMs } = useStore(call.store);
  const hasCamera = local.some(({ kind }) => kind === "camera");
  if (phase !== "talking" || sinceMs === null)
    return t(hasCamera ? "call.ring.startVideo" : "call.ring.startVoice");
  return (
    <>
      <CallTime sinceMs={sinceMs} />
      <BriefRouteLine person={person} className="before:content-['·_']" />
    </>
  );
}

/** "3 people, Mara is sharing a screen": me, everyone who shares something, and everyone who receives what I share. */
function Summary({ call }: { readonly call: Call }) {
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
