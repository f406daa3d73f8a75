import { everyone, isStarter } from "@warren/core";
import { clientIdSchema, v } from "@warren/protocol";
import { type CSSProperties, Suspense, useState } from "react";
import { useRoute } from "wouter";
import { ClientListPane } from "../../chat/list/client-list-pane.tsx";
import { NearbySection } from "../../nearby/nearby-section.tsx";
import { ArrivalCard, ArrivalPane } from "../../room/join/arrival-card.tsx";
import { JoinBar } from "../../room/join/join-bar.tsx";
import { useElsewhere } from "../../room/join/use-elsewhere.ts";
import { useAlone, useMeeting } from "../../room/meeting.ts";
import { useBusy } from "../../tab/tab-context.ts";
import { useBreakpoint } from "../../ui/hooks/use-media-query.ts";
import { lazy } from "../../wiring/lazy.tsx";
import { paths } from "../../wiring/paths.ts";
import { useRoomStatus, useStore, useWarren } from "../../wiring/warren-context.tsx";
import { useOpenOnArrival } from "../use-arrivals.ts";
import { ListResizer, useListWidth } from "./list-resizer.tsx";
import { NotFoundPage } from "./not-found-page.tsx";

const WaitingPage = lazy(async () => (await import("../../room/waiting-page.tsx")).WaitingPage);
const ConversationPane = lazy(
  async () => (await import("../../chat/conversation-pane.tsx")).ConversationPane,
);
const ComparisonPage = lazy(async () => (await import("../../compare/comparison-page.tsx")).ComparisonPage);

const blank = <div className="flex-1 bg-surface" />;

/** The people list beside a conversation or the compared files; on a phone only one of the two. */
export function ChatPage() {
  const breakpoint = useBreakpoint();
  const [width, setWidth] = useListWidth();
  const [isConversation, params] = useRoute(paths.chat.path);
  const [isComparison, comparisonParams] = useRoute(paths.compare.path);
  const alone = useHeld(useAlone());
  const { chat } = useWarren();
  const status = useRoomStatus();
  const hasContacts = useStore(chat.store, ({ contacts }) =>
    Object.keys(contacts).some((id) => !isStarter(id)),
  );
  useOpenOnArrival(!isConversation && !isComparison);

  const conversation = isConversation ? readConversation(params.id) : null;
  const person = isComparison ? readPerson(comparisonParams.id) : null;
  const compared = person !== null && isStarter(person) ? null : person;
  if ((isConversation && conversation === null) || (isComparison && compared === null))
    return <NotFoundPage />;
  const pane =
    compared !== null ? (
      <ComparisonPage key={compared} clientId={compared} />
    ) : conversation !== null ? (
      <ConversationPane key={conversation} conversationId={conversation} />
    ) : null;
  if (breakpoint !== "phone") {
    const style: CSSProperties & { "--list-width": string } = { "--list-width": `${width}px` };
    return (
      <>
        <div
          style={style}
          className="flex w-60 shrink-0 flex-col bg-canvas max-lg:border-r max-lg:border-line lg:w-(--list-width)"
        >
          <ClientListPane />
        </div>
        {breakpoint === "desktop" && <ListResizer width={width} onChange={setWidth} />}
        <Suspense key="pane" fallback={blank}>
          {pane ?? <HomePane alone={alone} />}
        </Suspense>
      </>
    );
  }
  if (pane !== null)
    return (
      // The key keeps the pane while the window is resized.
      <Suspense key="pane" fallback={blank}>
        {pane}
      </Suspense>
    );
  if (status === "connected" && alone && !hasContacts) return <WaitingPage />;
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
      <ClientListPane />
      {status !== "connected" && (
        <div className="max-h-[45%] shrink-0 overflow-y-auto px-4 pt-2">
          <NearbySection />
        </div>
      )}
      <JoinBar />
    </div>
  );
}

/** Shown beside the list while no conversation is selected. */
function HomePane({ alone }: { readonly alone: boolean }) {
  const status = useRoomStatus();
  const isMeeting = useMeeting();
  const isElsewhere = useElsewhere() !== null;
  // The conversation with whoever is met first replaces it; a banner says that another tab is in the room.
  if (isMeeting || isElsewhere) return blank;
  if (status !== "connected") {
    return (
      <ArrivalPane>
        <ArrivalCard />
        <NearbySection />
      </ArrivalPane>
    );
  }
  return alone ? <WaitingPage /> : <ConversationPane conversationId={everyone} />;
}

/** Holds a value while the user is busy. */
function useHeld<T>(value: T): T {
  const [held, setHeld] = useState(value);
  const isBusy = useBusy();
  if (!isBusy && held !== value) setHeld(value);
  return isBusy ? held : value;
}

function readConversation(id: string | undefined) {
  return id === everyone ? everyone : readPerson(id);
}

function readPerson(id: string | undefined) {
  return v.is(clientIdSchema, id) ? id : null;
}
