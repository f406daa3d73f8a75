import {
  type ChatState,
  type Conversation,
  everyone,
  isStarter,
  matchesSearch,
  onlineStatusOf,
  peersOf,
  type RoomState,
  starterId,
} from "@warren/core";
import type { ClientId } from "@warren/protocol";
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { useRoute } from "wouter";
import { useT } from "../../i18n/use-t.ts";
import { useNameOf } from "../../people/use-person.ts";
import { RoomMenuItems } from "../../room/room-menu.tsx";
import { useRoomName } from "../../room/room-name.ts";
import { RoomSwitcherItems } from "../../room/rooms/room-switcher.tsx";
import { useRoomActions } from "../../room/use-room-actions.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { SearchField } from "../../ui/fields/search-field.tsx";
import { useBreakpoint } from "../../ui/hooks/use-media-query.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { LockIcon, MoreIcon, OpensMenuIcon, QrIcon, SearchIcon } from "../../ui/icons.ts";
import { ContextMenu, type ContextTarget, Menu } from "../../ui/overlays/menu.tsx";
import { paths } from "../../wiring/paths.ts";
import { useToastInset } from "../../wiring/use-toast-inset.ts";
import { useProfile, useRoom, useRoomStatus, useStore, useWarren } from "../../wiring/warren-context.tsx";
import { ClientMenuItems, EveryoneMenuItems } from "./client-menu.tsx";
import { ClientRow, clientNameId, EveryoneRow } from "./client-row.tsx";
import { FoundMessages } from "./found-messages.tsx";
import { useSearchResults } from "./use-search-results.ts";

/** So many found messages of each conversation are shown: who wants more searches that one. */
const foundPerConversation = 4;

/** A longer name of a room has two lines. */
const longNameLength = 16;

/** The room and everyone in it, with links to every conversation. */
export const ClientListPane = memo(function ClientListPane() {
  const t = useT();
  const isPhone = useBreakpoint() === "phone";
  const [query, setQuery] = useState("");
  const list = useRef<HTMLDivElement>(null);
  // A stable function, so that the field is not re-rendered with the list.
  const intoList = useCallback((event: KeyboardEvent): void => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    list.current?.querySelector<HTMLElement>("a, button")?.focus();
  }, []);
  const { chat } = useWarren();
  // Without its code or storage, the search itself says that it found nothing.
  const prepare = useCallback((): void => void chat.prepareSearch().catch(() => {}), [chat]);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <ListHeader />
      <SearchField
        label={t("people.search")}
        clearLabel={t("common.clearSearch")}
        value={query}
        onChange={setQuery}
        className="mx-3 mb-2 shrink-0"
        onKeyDown={intoList}
        onFocus={prepare}
      />
      <div
        ref={list}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-2 pb-[calc(8px+var(--list-tile,0px)+var(--list-ring,0px))]"
      >
        <ClientContextMenu>
          <SearchedList query={query} onClear={() => setQuery("")} />
        </ClientContextMenu>
      </div>
      {isPhone && <ShareFoot />}
    </div>
  );
});

/** The button that shares the room, where a thumb reaches it. */
function ShareFoot() {
  const t = useT();
  const { shareRoom } = useRoomActions();
  const foot = useRef<HTMLDivElement>(null);
  useToastInset(foot);
  return (
    <div ref={foot} className="shrink-0 px-4 pt-2 pb-[max(16px,env(safe-area-inset-bottom))]">
      <Button icon={QrIcon} className="w-full" onClick={() => void shareRoom()}>
        {t("people.shareRoom")}
      </Button>
    </div>
  );
}

interface SearchedListProps {
  readonly query: string;
  readonly onClear: () => void;
}

/** The people and messages that a query finds; everybody for an empty one. Follows the room, which the pane around it does not. */
function SearchedList({ query, onClear }: SearchedListProps) {
  const t = useT();
  const found = useSearch(query);
  const wanted = useDeferredValue(query.trim());
  const { conversations, isComplete } = useSearchResults(wanted, foundPerConversation);
  const isSearching = !isComplete || wanted !== query.trim();
  if (found.isEmpty && conversations.length === 0 && !isSearching) {
    return (
      <EmptyState
        icon={SearchIcon}
        title={t("common.noResults")}
        className="pt-10"
        action={
          <Button variant="ghost" onClick={onClear}>
            {t("common.clearSearch")}
          </Button>
        }
      >
        {t("people.nothingFound", { query: query.trim() })}
      </EmptyState>
    );
  }
  return (
    <>
      {!found.isEmpty && <ClientList {...found} />}
      <FoundMessages conversations={conversations} query={wanted} />
      {query !== "" && (
        <p role="status" className="px-2 pt-3 text-meta text-text-2">
          {isSearching ? t("messageSearch.searching") : ""}
        </p>
      )}
    </>
  );
}

/** The order of the list: present clients by last activity, then absent ones by last activity. */
interface ClientOrder {
  readonly here: readonly ClientId[];
  readonly away: readonly ClientId[];
}

/** The time of the last message in a conversation; 0 if there is none. */
function lastActivity(conversation: Conversation | undefined): number {
  return conversation?.messages.at(-1)?.sortedAt ?? 0;
}

/** All room members and known contacts in list order, without the welcome conversation. */
export function clientOrder(
  { contacts, conversations }: Pick<ChatState, "contacts" | "conversations">,
  room: RoomState,
): ClientOrder {
  const peers = peersOf(room);
  const nameOf = (id: ClientId) => peers[id]?.profile?.name ?? contacts[id]?.name ?? "";
  const met = Object.keys(contacts).filter((id) => !isStarter(id));
  const ids = [...new Set([...Object.keys(peers), ...met])].sort(
    (a, b) =>
      lastActivity(conversations[b]) - lastActivity(conversations[a]) ||
      nameOf(a).localeCompare(nameOf(b)) ||
      (a < b ? -1 : 1),
  );
  const isHere = (id: ClientId) => {
    const peer = peers[id];
    return peer !== undefined && onlineStatusOf[peer.session] !== "offline";
  };
  return { here: ids.filter(isHere), away: ids.filter((id) => !isHere(id)) };
}

/** The order of people in the room as it is. */
function useClientOrder(): ClientOrder {
  const { chat } = useWarren();
  const room = useRoom();
  const contacts = useStore(chat.store, (state) => state.contacts);
  const conversations = useStore(chat.store, (state) => state.conversations);
  return useMemo(() => clientOrder({ contacts, conversations }, room), [contacts, conversations, room]);
}

interface Found extends ClientOrder {
  readonly withEveryone: boolean;
  /** The welcome conversation, below everyone else. */
  readonly withStarter: boolean;
  readonly isEmpty: boolean;
}

/** The welcome leaves the list by itself once somebody was met; a welcome that is open stays until another is opened. */
function useStarterName({ here, away }: ClientOrder): string | undefined {
  const { chat } = useWarren();
  const isOpen = useSelected() === starterId;
  const name = useStore(chat.store, (state) => state.contacts[starterId]?.name);
  return isOpen || here.length + away.length === 0 ? name : undefined;
}

function useSearch(query: string): Found {
  const order = useClientOrder();
  const { here, away } = order;
  const t = useT();
  const starterName = useStarterName(order);
  const nameOf = useNameOf();
  const matches = (id: string): boolean => matchesSearch(nameOf(id), query);
  const found = { here: here.filter(matches), away: away.filter(matches) };
  const status = useRoomStatus();
  const withEveryone = status !== "nearby" && matchesSearch(t("people.everyone"), query);
  const withStarter = starterName !== undefined && matchesSearch(starterName, query);
  const isEmpty = !withEveryone && !withStarter && found.here.length + found.away.length === 0;
  return { ...found, withEveryone, withStarter, isEmpty };
}

function ListHeader() {
  const t = useT();
  const { password } = useProfile();
  const name = useRoomName();
  const { shareRoom } = useRoomActions();
  // On a phone the list is a page of its own; elsewhere the conversation beside it has the first heading.
  const Heading = useBreakpoint() === "phone" ? "h1" : "h2";
  const isNearby = useRoomStatus() === "nearby";
  return (
    <header className="flex h-14 shrink-0 items-center gap-1 pr-2.5 pl-4">
      <div className="min-w-0 flex-1">
        <Heading className="flex text-heading-sm">
          <Menu
            align="start"
            trigger={
              <button
                type="button"
                className="-ml-2 flex min-w-0 cursor-pointer items-center gap-2 rounded-control px-2 text-left hover:bg-hover"
              >
                <span
                  className={
                    name.length > longNameLength ? "line-clamp-2 text-compact/4 wrap-anywhere" : "truncate"
                  }
                >
                  {isNearby ? t("nearby.title") : name}
                </span>
                {password !== null && !isNearby && (
                  <>
                    <LockIcon size={14} className="shrink-0 stroke-[1.75] text-text-2" />
                    <span className="sr-only">{t("people.locked")}</span>
                  </>
                )}
                <span className="sr-only">{t("rooms.switch")}</span>
                <OpensMenuIcon size={16} className="shrink-0 text-text-2" />
              </button>
            }
          >
            <RoomSwitcherItems />
          </Menu>
        </Heading>
        <PeopleCount />
      </div>
      <IconButton icon={QrIcon} label={t("people.shareRoom")} onClick={() => void shareRoom()} />
      <Menu trigger={<IconButton icon={MoreIcon} label={t("people.roomMenu")} />}>
        <RoomMenuItems inList />
      </Menu>
    </header>
  );
}

/** How many people are here and away; a separate component, because it alone follows who comes and goes. */
function PeopleCount() {
  const t = useT();
  const order = useClientOrder();
  const status = useRoomStatus();
  const here = status === "connected" || status === "nearby" ? order.here.length + 1 : 0;
  return <p className="truncate text-meta text-text-2">{countWords(here, order.away.length, t)}</p>;
}

function countWords(here: number, away: number, t: ReturnType<typeof useT>): string {
  if (here === 0) return t("profile.notJoined");
  if (away > 0) return t("people.hereAndAway", { here, away });
  return here === 1 ? t("people.onlyYou") : t("people.hereCount", { count: here });
}

function ClientList({ withEveryone, here, away, withStarter }: Found) {
  const t = useT();
  const selected = useSelected();
  return (
    <nav aria-label={t("people.label")} onKeyDown={moveBetweenLinks}>
      <ul>
        {withEveryone && (
          <li data-id={everyone}>
            <EveryoneRow isSelected={selected === everyone} />
          </li>
        )}
        {here.map((id) => (
          <li key={id} data-id={id}>
            <ClientRow clientId={id} isSelected={selected === id} />
          </li>
        ))}
      </ul>
      {away.length > 0 && (
        <LabelledList label={t("people.away")}>
          {away.map((id) => (
            <li key={id} data-id={id}>
              <ClientRow clientId={id} isSelected={selected === id} />
            </li>
          ))}
        </LabelledList>
      )}
      {withStarter && (
        <LabelledList label={t("people.welcome")}>
          <li data-id={starterId}>
            <ClientRow clientId={starterId} isSelected={selected === starterId} />
          </li>
        </LabelledList>
      )}
    </nav>
  );
}

function LabelledList({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const labelId = useId();
  return (
    <>
      <p id={labelId} className="px-2 pt-4 pb-1.5 text-meta text-text-2">
        {label}
      </p>
      <ul aria-labelledby={labelId}>{children}</ul>
    </>
  );
}

/** The context menu of a row in the people list. */
function ClientContextMenu({ children }: { readonly children: ReactNode }) {
  return (
    <ContextMenu
      find={findClient}
      items={(id) =>
        id === everyone ? <EveryoneMenuItems /> : <ClientMenuItems clientId={id} location="list" />
      }
    >
      {children}
    </ContextMenu>
  );
}

function findClient(pressed: Element): ContextTarget | null {
  const row = pressed.closest("a")?.closest<HTMLElement>("[data-id]");
  const id = row?.dataset.id;
  return id === undefined ? null : { id, labelledBy: clientNameId(id) };
}

/** The selected conversation; beside the list, the start page shows the room's once somebody is there. */
function useSelected(): string | undefined {
  const [isConversation, params] = useRoute(paths.ofConversation.path);
  const isPhone = useBreakpoint() === "phone";
  const hasPeers = useStore(
    useWarren().room.store,
    (room) => room.status === "connected" && Object.keys(room.peers).length > 0,
  );
  if (isConversation) return params.id;
  return !isPhone && hasPeers ? everyone : undefined;
}

function moveBetweenLinks(event: KeyboardEvent<HTMLElement>): void {
  const links: EventTarget[] = [...event.currentTarget.querySelectorAll("a")];
  const at = links.indexOf(event.target);
  if (at === -1) return;
  const moves: Readonly<Record<string, number>> = {
    ArrowUp: at - 1,
    ArrowDown: at + 1,
    Home: 0,
    End: links.length - 1,
  };
  const link = links[moves[event.key] ?? -1];
  if (!(link instanceof HTMLElement)) return;
  event.preventDefault();
  link.focus();
}
