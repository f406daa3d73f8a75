import { everyone, matchesSearch, starterId } from "@warren/core";
import { type KeyboardEvent, memo, type ReactNode, useDeferredValue, useId, useRef, useState } from "react";
import { useRoute } from "wouter";
import { useT } from "../../i18n/use-t.ts";
import { useNameOf } from "../../people/use-person.ts";
import { useElsewhere } from "../../room/join/use-elsewhere.ts";
import { RoomMenuItems } from "../../room/room-menu.tsx";
import { useRoomName } from "../../room/room-name.ts";
import { RoomSwitcherItems } from "../../room/rooms/room-switcher.tsx";
import { useRoomActions } from "../../room/use-room-actions.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { SearchField } from "../../ui/fields/search-field.tsx";
import { useHeightProperty } from "../../ui/hooks/use-height-property.ts";
import { useBreakpoint } from "../../ui/hooks/use-media-query.ts";
import { useOnline } from "../../ui/hooks/use-online.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { LockIcon, MoreIcon, OpensMenuIcon, QrIcon, SearchIcon } from "../../ui/icons.ts";
import { indexAfterKey } from "../../ui/index-after-key.ts";
import { ContextMenu, type ContextTarget, Menu } from "../../ui/overlays/menu.tsx";
import { paths } from "../../wiring/paths.ts";
import { useIsNearby, useProfile, useRoomStatus, useStore, useWarren } from "../../wiring/warren-context.ts";
import { FoundMessages } from "./found-messages.tsx";
import { type PeopleOrder, usePeopleOrder } from "./people-order.ts";
import { EveryoneMenuItems, PersonMenuItems } from "./person-menu.tsx";
import { EveryoneRow, PersonRow, personNameId } from "./person-row.tsx";
import { useSearchResults } from "./use-search-results.ts";

/** The most found messages shown per conversation; a search inside the conversation shows the rest. */
const foundPerConversation = 4;

/** A longer name of a room has two lines. */
const longNameLength = 16;

/** The line below a room's name, in px: its menu opens below that. */
const headLineHeight = 22;

/** The room and everyone in it, with links to every conversation. */
export const PeopleListPane = memo(function PeopleListPane() {
  const t = useT();
  const [query, setQuery] = useState("");
  const list = useRef<HTMLDivElement>(null);
  const intoList = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    list.current?.querySelector<HTMLElement>("a, button")?.focus();
  };
  const { chat } = useWarren();
  // Without its code or storage, the search itself says that it found nothing.
  const prepare = (): void => void chat.prepareSearch().catch(() => {});
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <ListHeader />
      {/* On a phone a long list takes the space of the field as it is scrolled. */}
      <div className="flex min-h-0 flex-1 flex-col max-md:block max-md:overflow-y-auto max-md:overscroll-contain">
        <SearchField
          label={t("people.search")}
          value={query}
          onChange={setQuery}
          className="mx-2 mb-2 shrink-0"
          onKeyDown={intoList}
          onFocus={prepare}
        />
        <div
          ref={list}
          className="px-2 pb-[calc(8px+var(--list-tile,0px)+var(--list-ring,0px))] md:min-h-0 md:flex-1 md:overflow-y-auto md:overscroll-contain"
        >
          <PersonContextMenu>
            <SearchedList query={query} onClear={() => setQuery("")} />
          </PersonContextMenu>
        </div>
      </div>
    </div>
  );
});

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
      {!found.isEmpty && <PeopleList {...found} />}
      <FoundMessages conversations={conversations} query={wanted} />
      {query !== "" && (
        <p role="status" className="px-2 pt-3 text-meta text-text-2">
          {isSearching ? t("messageSearch.searching") : ""}
        </p>
      )}
    </>
  );
}

interface Found extends PeopleOrder {
  readonly withEveryone: boolean;
  /** The welcome conversation, below everyone else. */
  readonly withStarter: boolean;
  readonly isEmpty: boolean;
}

/** The welcome leaves the list by itself once somebody was met; a welcome that is open stays until another is opened. */
function useStarterName({ here, away }: PeopleOrder): string | undefined {
  const { chat } = useWarren();
  const isOpen = useSelected() === starterId;
  const name = useStore(chat.store, (state) => state.contacts[starterId]?.name);
  return isOpen || here.length + away.length === 0 ? name : undefined;
}

function useSearch(query: string): Found {
  const order = usePeopleOrder();
  const { here, away } = order;
  const t = useT();
  const starterName = useStarterName(order);
  const nameOf = useNameOf();
  const matches = (id: string): boolean => matchesSearch(nameOf(id), query);
  const found = { here: here.filter(matches), away: away.filter(matches) };
  const isNearby = useIsNearby();
  const withEveryone = !isNearby && matchesSearch(t("people.everyone"), query);
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
  const isPhone = useBreakpoint() === "phone";
  const Heading = isPhone ? "h1" : "h2";
  const head = useRef<HTMLElement>(null);
  useHeightProperty(head, isPhone ? "--room-head" : undefined);
  const isNearby = useIsNearby();
  const isLocked = password !== null && !isNearby;
  return (
    <header ref={head} className="flex h-14 shrink-0 items-center gap-1 pr-2.5 pl-4">
      <div className="min-w-0 flex-1">
        <Heading className="flex text-heading-sm">
          <Menu
            align="start"
            distance={headLineHeight}
            trigger={
              <button
                type="button"
                className="hit -ml-2 flex min-w-0 cursor-pointer items-center gap-2 rounded-control px-2 text-left hover:bg-hover"
              >
                <span
                  className={
                    name.length > longNameLength ? "line-clamp-2 text-compact/4 wrap-anywhere" : "truncate"
                  }
                >
                  {isNearby ? t("nearby.title") : name}
                </span>
                {isLocked && <span className="sr-only">{t("people.locked")}</span>}
                <span className="sr-only">{t("rooms.switch")}</span>
                <OpensMenuIcon size={16} className="shrink-0 text-text-2" />
              </button>
            }
          >
            <RoomSwitcherItems />
          </Menu>
        </Heading>
        <p className="flex items-center gap-1.5 text-meta text-text-2">
          {isLocked && <LockIcon size={12} className="shrink-0 stroke-2" />}
          <PeopleCount />
        </p>
      </div>
      <IconButton icon={QrIcon} label={t("people.shareRoom")} onClick={() => void shareRoom()} />
      <Menu trigger={<IconButton icon={MoreIcon} label={t("people.roomMenu")} />}>
        <RoomMenuItems inList />
      </Menu>
    </header>
  );
}

/** How many people are here; a separate component, because it alone follows who comes and goes. */
function PeopleCount() {
  const t = useT();
  const order = usePeopleOrder();
  const status = useRoomStatus();
  const here = status === "connected" || status === "nearby" ? order.here.length + 1 : 0;
  const isOnline = useOnline();
  // The tab that is in the room knows who is there.
  if (useElsewhere() !== null) return null;
  const count = here === 1 ? t("people.onlyYou") : t("people.hereCount", { count: here });
  const words = here === 0 ? t("profile.notJoined") : isOnline ? count : t("personInfo.notConnected");
  return <span className="truncate">{words}</span>;
}

function PeopleList({ withEveryone, here, away, withStarter }: Found) {
  const t = useT();
  const selected = useSelected();
  const isElsewhere = useElsewhere() !== null;
  const absent = away.map((id) => (
    <li key={id} data-id={id}>
      <PersonRow personId={id} isSelected={selected === id} showsStatus={!isElsewhere} />
    </li>
  ));
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
            <PersonRow personId={id} isSelected={selected === id} />
          </li>
        ))}
        {isElsewhere && absent}
      </ul>
      {!isElsewhere && away.length > 0 && <LabelledList label={t("people.away")}>{absent}</LabelledList>}
      {withStarter && (
        <LabelledList label={t("people.welcome")}>
          <li data-id={starterId}>
            <PersonRow personId={starterId} isSelected={selected === starterId} />
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
function PersonContextMenu({ children }: { readonly children: ReactNode }) {
  return (
    <ContextMenu
      find={findPerson}
      items={(id) =>
        id === everyone ? <EveryoneMenuItems /> : <PersonMenuItems personId={id} location="list" />
      }
    >
      {children}
    </ContextMenu>
  );
}

function findPerson(pressed: Element): ContextTarget | null {
  const row = pressed.closest("a")?.closest<HTMLElement>("[data-id]");
  const id = row?.dataset.id;
  return id === undefined ? null : { id, labelledBy: personNameId(id) };
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
  const link = links[indexAfterKey(event.key, at, links.length - 1) ?? -1];
  if (!(link instanceof HTMLElement)) return;
  event.preventDefault();
  link.focus();
}
