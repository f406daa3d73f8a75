import { everyone, isStarter } from "@warren/core";
import { clientIdSchema, v } from "@warren/protocol";
import { type CSSProperties, Suspense } from "react";
import { useRoute } from "wouter";
import { PeopleListPane } from "../../chat/list/people-list-pane.tsx";
import { NearbySection } from "../../nearby/nearby-section.tsx";
import { ArrivalCard, ArrivalPane } from "../../room/join/arrival-card.tsx";
import { JoinBar } from "../../room/join/join-bar.tsx";
import { useElsewhere } from "../../room/join/use-elsewhere.ts";
import { useAlone, useMeeting } from "../../room/meeting.ts";
import { useHeld } from "../../tab/tab-context.ts";
import { useBreakpoint } from "../../ui/hooks/use-media-query.ts";
import { paths } from "../../wiring/paths.ts";
import { useRoomStatus, useStore, useWarren } from "../../wiring/warren-context.ts";
import { useOpenOnArrival } from "../use-arrivals.ts";
import { AloneFoot, ComparisonPage, ConversationPane, WaitingPage } from "./lazy-pages.ts";
import { ListResizer } from "./list-resizer.tsx";
import { NotFoundPage } from "./not-found-page.tsx";
import { useListWidth } from "./use-list-width.ts";

const blank = <div className="flex-1 bg-surface" />;

/** The invitation does not wait for the composer's code. */
const foot = (
  <Suspense>
    <AloneFoot />
  </Suspense>
);

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
  const isUnwritten = useStore(chat.store, ({ conversations }) => !conversations[everyone]?.messages.length);
  const conversation = isConversation ? readConversation(params.id) : null;
  const isHome = !isConversation && !isComparison;
  useOpenOnArrival(isHome ? null : (conversation ?? undefined), breakpoint !== "phone");
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
          <PeopleListPane />
        </div>
        {breakpoint === "desktop" && <ListResizer width={width} onChange={setWidth} />}
        <Suspense key="pane" fallback={blank}>
          {pane ?? <HomePane invites={alone && isUnwritten} />}
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
  if (status === "connected" && alone && !hasContacts && isUnwritten) return <WaitingPage foot={foot} />;
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
      <PeopleListPane />
      {status !== "connected" && (
        <div className="max-h-[45%] shrink-0 overflow-y-auto px-4 pt-2 pb-4">
          <NearbySection />
        </div>
      )}
      <JoinBar />
    </div>
  );
}

/** Shown beside the list while no conversation is selected. */
function HomePane({ invites }: { readonly invites: boolean }) {
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
  return invites ? <WaitingPage foot={foot} /> : <ConversationPane conversationId={everyone} />;
}

function readConversation(id: string | undefined) {
  return id === everyone ? everyone : readPerson(id);
}

function readPerson(id: string | undefined) {
  return v.is(clientIdSchema, id) ? id : null;
}
