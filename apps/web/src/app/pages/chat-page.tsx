import { type ConversationId, everyone, isStarter } from "@warren/core";
import { type ClientId, clientIdSchema, v } from "@warren/protocol";
import { Suspense } from "react";
import { useRoute } from "wouter";
import { PeopleListPane } from "../../chat/list/people-list-pane.tsx";
import { NearbySection } from "../../nearby/nearby-section.tsx";
import { ArrivalCard, ArrivalPane } from "../../room/arrival/arrival-card.tsx";
import { ElsewhereCard } from "../../room/arrival/elsewhere-page.tsx";
import { JoinBar } from "../../room/join/join-bar.tsx";
import { useElsewhere } from "../../room/join/use-elsewhere.ts";
import { useAlone, useMeeting } from "../../room/meeting.ts";
import { useHeld } from "../../tab/tab-context.ts";
import { useBreakpoint } from "../../ui/hooks/use-media-query.ts";
import { paths } from "../../wiring/paths.ts";
import { useRoomStatus, useStore, useWarren } from "../../wiring/warren-context.ts";
import { useOpenOnArrival } from "../use-open-on-arrival.ts";
import { AloneFooter, ComparisonPage, ConversationPane, WaitingPage } from "./lazy-pages.ts";
import { ListResizer } from "./list-resizer.tsx";
import { NotFoundPage } from "./not-found-page.tsx";
import { useListWidth } from "./use-list-width.ts";

const blank = <div className="flex-1 bg-surface" />;

/** The invitation does not wait for the composer's code. */
const footer = (
  <Suspense>
    <AloneFooter />
  </Suspense>
);

/** The people list beside a conversation or the compared files; on a phone only one of the two. */
export function ChatPage() {
  const breakpoint = useBreakpoint();
  const isPhone = breakpoint === "phone";
  const [width, setWidth] = useListWidth();
  const invites = useInvites();
  const shown = useShown();
  useOpenOnArrival(conversationOf(shown), !isPhone);
  if (shown === null) return <NotFoundPage />;
  if (isPhone && shown.kind === "home") return <PhoneHome invites={invites} />;
  const pane = (
    // The key keeps the pane while the window is resized.
    <Suspense key="pane" fallback={blank}>
      {shown.kind === "home" && <HomePane invites={invites} />}
      {shown.kind === "comparison" && <ComparisonPage key={shown.id} personId={shown.id} />}
      {shown.kind === "conversation" && <ConversationPane key={shown.id} conversationId={shown.id} />}
    </Suspense>
  );
  if (isPhone) return pane;
  return (
    <>
      <div className="flex w-60 shrink-0 flex-col bg-canvas max-lg:border-r max-lg:border-line lg:w-(--list-width)">
        <PeopleListPane />
      </div>
      {breakpoint === "desktop" && <ListResizer width={width} onChange={setWidth} />}
      {pane}
    </>
  );
}

/** What the address names. */
type Shown =
  | { readonly kind: "home" }
  | { readonly kind: "conversation"; readonly id: ConversationId }
  | { readonly kind: "comparison"; readonly id: ClientId };

/** Null if the address names nobody. */
function useShown(): Shown | null {
  const [isConversation, conversation] = useRoute(paths.chat.path);
  const [isComparison, comparison] = useRoute(paths.compare.path);
  if (isConversation) {
    const id = conversation.id === everyone ? everyone : readPerson(conversation.id);
    return id === null ? null : { kind: "conversation", id };
  }
  if (!isComparison) return { kind: "home" };
  const id = readPerson(comparison.id);
  return id === null || isStarter(id) ? null : { kind: "comparison", id };
}

function readPerson(id: string | undefined): ClientId | null {
  return v.is(clientIdSchema, id) ? id : null;
}

/** The open conversation; null on the home page, and undefined elsewhere. */
function conversationOf(shown: Shown | null): ConversationId | null | undefined {
  if (shown?.kind === "home") return null;
  return shown?.kind === "conversation" ? shown.id : undefined;
}

/** Whether we are alone and nothing was written in the room: then it invites. */
function useInvites(): boolean {
  const { chat } = useWarren();
  const alone = useHeld(useAlone());
  const isUnwritten = useStore(chat.store, ({ conversations }) => !conversations[everyone]?.messages.length);
  return alone && isUnwritten;
}

/** The list of people; before any is known, the invitation instead. */
function PhoneHome({ invites }: { readonly invites: boolean }) {
  const { chat } = useWarren();
  const status = useRoomStatus();
  const hasContacts = useStore(chat.store, ({ contacts }) =>
    Object.keys(contacts).some((id) => !isStarter(id)),
  );
  if (status === "connected" && invites && !hasContacts) return <WaitingPage footer={footer} />;
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
  const elsewhere = useElsewhere();
  if (elsewhere !== null) {
    return (
      <ArrivalPane>
        <ElsewhereCard roomId={elsewhere} />
      </ArrivalPane>
    );
  }
  // The conversation with whoever is met first replaces it.
  if (isMeeting) return blank;
  if (status !== "connected") {
    return (
      <ArrivalPane>
        <ArrivalCard />
        <NearbySection />
      </ArrivalPane>
    );
  }
  return invites ? <WaitingPage footer={footer} /> : <ConversationPane conversationId={everyone} />;
}
