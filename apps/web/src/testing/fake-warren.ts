import {
  type Call,
  type ChatMessage,
  type ChatState,
  type ConversationId,
  type DoctorPlatform,
  defaultOptions,
  type FileSearches,
  type HeldUp,
  isTakingPart,
  type LeftOutServer,
  type LibraryState,
  MessageSearch,
  type MessageSearchOptions,
  type MissingEntries,
  matchesSearch,
  type NearbyStatus,
  type OptionName,
  type Options,
  type Profile,
  peersOf,
  type QrMeeting,
  Ringing,
  type RoomMembers,
  type RoomState,
  readManifest,
  type SearchResults,
  type SharedListing,
  type SharedListings,
  type ShortCodes,
  systemClock,
  type TextMessage,
  type TransferSnapshot,
  type TransferSnapshots,
  type TurnServer,
  type TypingState,
  unasked,
  type VisitedRoom,
  type Warren,
} from "@warren/core";
import { createStore as createZustandStore } from "zustand/vanilla";
import { Tab } from "../tab/tab.ts";
import { type FakeCall, fakeCall } from "./fake-call.ts";
import { fakeStats, fakeText, me, roomWith } from "./fake-records.ts";
import { fakeStorage } from "./fake-storage.ts";

function createStore<S>(initial: S) {
  return createZustandStore<S>()(() => initial);
}

/** The conversations with texts that match a search, their latest ones first. */
function foundIn({ conversations }: ChatState, query: string): SearchResults["conversations"] {
  return Object.entries(conversations).flatMap(([conversation, known]) => {
    const texts = known?.messages.filter((each) => each.type === "text" && matchesSearch(each.data, query));
    return texts?.length ? [{ conversation, count: texts.length, messages: texts.toReversed() }] : [];
  });
}

/** A call of the fake, with its arguments. */
interface Verb {
  readonly verb: string;
  readonly args: readonly unknown[];
}

type ClipboardListener = (message: TextMessage, allowed: boolean) => void;

/** A core without a network: the test sets its stores, and its methods only record their calls. */
export interface FakeWarren {
  readonly warren: Warren;
  /** The tab of the page around it. */
  readonly tab: Tab;
  /** The call of the room; it exists once it is opened. */
  readonly call: FakeCall;
  readonly calls: readonly Verb[];
  /** The arguments of each call of a method. */
  argsOf(verb: string): readonly (readonly unknown[])[];
  /** Makes a method throw or reject from now on. */
  fail(verb: string, error: Error): void;
  setRoom(state: RoomState): void;
  setNearby(status: NearbyStatus): void;
  /** Sets the meeting that the core begins next. */
  setQrMeeting(meeting: Partial<QrMeeting>): void;
  setChat(change: Partial<ChatState>): void;
  setRooms(visited: readonly VisitedRoom[]): void;
  setOptions(change: Partial<Options>): void;
  setTransfer(transfer: TransferSnapshot): void;
  /** Sets the library's files; the library then counts as loaded. */
  setLibrary(files: LibraryState): void;
  /** Sets what a peer shares with us. */
  setListing(peer: string, change: Partial<SharedListing>): void;
  /** Sets who is writing. */
  setTyping(typing: TypingState): void;
  /** Sets how many of our messages wait in a conversation. */
  setHeldUp(conversation: ConversationId, count: number): void;
  setMissing(missing: MissingEntries): void;
  setSearches(searches: FileSearches): void;
  setMembers(members: RoomMembers): void;
  /** Sets from which number on the log keeps what I said. */
  setOwnFloor(floor: number): void;
  /** Sets whether what is said to everyone is kept for those who come later; before the first render. */
  setRoomLog(isKept: boolean): void;
  /** Appends a new message to its conversation. */
  addMessage(message: ChatMessage): void;
  /** Replaces a message by its key. */
  changeMessage(message: ChatMessage): void;
  /** The texts that `chat.searchConversation` finds in storage. */
  storeTexts(texts: readonly ChatMessage[]): void;
  /** Makes `files.open` resolve with a file. */
  keepFile(fid: string, file: File): void;
  /** Makes a file one that changed since it was offered. */
  changeFile(fid: string, file: File): void;
  /** `allowed`: whether it may be written to the clipboard without asking. */
  receiveClipboard(from: string, text: string, allowed?: boolean): void;
  /** Sets the core's short codes; by default there are none. */
  setShortCodes(codes: Partial<ShortCodes>): void;
  /** Makes the browser refuse the address of a server. */
  refuseServer(url: string, reason: string): void;
  /** Sets the servers that connections do without. */
  leaveOutServers(leftOut: readonly LeftOutServer[]): void;
  /** Requires approval of a member. */
  needApproval(clientId: string): void;
  /** Nobody need decide about the join request any more. */
  endApproval(clientId: string): void;
}

/** Creates a fake core in the connected room "harbour" without peers. */
export function fakeWarren({
  freeBytes = 41.8 * 1_000_000_000,
}: {
  readonly freeBytes?: number | null;
} = {}): FakeWarren {
  const profile = createStore<Profile>({
    roomId: "harbour",
    name: "Okafor",
    clientId: me,
    password: null,
    avatar: null,
    autoJoin: false,
    initialJoin: false,
    createdAt: 0,
  });
  const options = createStore<Options>(defaultOptions);
  const room = createStore<RoomState>(roomWith([]));
  const chat = createStore<ChatState>({
    room: "MB1qgcGV3Lbp9ktavAsw7ba6T6dxx437SQkSZPqpU_k",
    loaded: true,
    contacts: {},
    conversations: {},
    storageUsage: {},
    open: null,
    loadError: null,
    unsaved: 0,
  });
  const transfers = createStore<TransferSnapshots>(new Map());
  const library = createStore<LibraryState>(new Map());
  const leftOutServers = createStore<readonly LeftOutServer[]>([]);
  const listings = createStore<SharedListings>(new Map());
  const searches = createStore<FileSearches>(new Map());
  const rooms = createStore<readonly VisitedRoom[]>([]);
  const typing = createStore<TypingState>({});
  const heldUp = createStore<HeldUp>({});
  const missing = createStore<MissingEntries>({});
  const members = createStore<RoomMembers>({});
  const ownFloor = createStore(1);
  let hasRoomLog = true;
  let isLibraryLoaded = false;
  const kept = new Map<string, File>();
  const changed = new Map<string, File>();
  const failures = new Map<string, Error>();
  const refusals = new Map<string, string>();
  const calls: Verb[] = [];
  const clipboardListeners = new Set<ClipboardListener>();
  const approvalListeners = {
    "approval-needed": new Set<(clientId: string) => void>(),
    "approval-over": new Set<(clientId: string) => void>(),
  };

  let stored: readonly ChatMessage[] = [];
  const nearby = createStore<NearbyStatus>("off");
  let qrMeeting: Partial<QrMeeting> = {};
  let shortCodes: Partial<ShortCodes> | null = null;
  const note = (verb: string, args: readonly unknown[]): void => {
    // Recorded as if an omitted trailing option had not been passed.
    calls.push({ verb, args: args.at(-1) === undefined ? args.slice(0, -1) : args });
    const error = failures.get(verb);
    if (error) throw error;
  };
  const does =
    (verb: string) =>
    (...args: readonly unknown[]): void =>
      note(verb, args);
  const resolves =
    (verb: string) =>
    async (...args: readonly unknown[]): Promise<void> =>
      note(verb, args);

  const setConversation = (id: string, messages: readonly ChatMessage[], unread: number): void =>
    chat.setState((state) => ({
      conversations: { ...state.conversations, [id]: { ...state.conversations[id], messages, unread } },
    }));

  const inCall = fakeCall();
  const call = createStore<Call | null>(null);
  let start: object | null = null;
  const ringing = new Ringing({ clock: systemClock, rings: () => true, send: does("sendRing") });

  const services = {
    isVerifiable: true,
    invitations: { pin: does("pinInviter") },
    profile: { store: profile, get: () => profile.getState(), update: does("updateProfile") },
    settings: {
      store: options,
      get: () => options.getState(),
      dropped: [],
      set: (name: OptionName, value: unknown) => {
        note("setOption", [name, value]);
        options.setState({ [name]: value });
      },
      update: (change: Partial<Options>) => {
        note("updateOptions", [change]);
        options.setState(change);
      },
      reset: (...names: readonly OptionName[]) => {
        note("resetOptions", names);
        options.setState(
          names.length === 0
            ? defaultOptions
            : Object.fromEntries(names.map((name) => [name, defaultOptions[name]])),
        );
      },
    },
    shortCodes: async () => {
      if (shortCodes === null) throw new Error("a test that needs codes sets them");
      return shortCodes;
    },
    hasRelay: () => options.getState().servers.turns.length > 0,
    refusalOf: (url: string) => refusals.get(url) ?? null,
    checkServer: async (server: string | TurnServer) => {
      note("checkServer", [server]);
      return { status: "answered", candidate: typeof server === "string" ? "srflx" : "relay", tookMs: 38 };
    },
    nearby: { store: nearby, retry: does("retryNearby") },
    diagnose: async (platform: DoctorPlatform) => {
      note("diagnose", [platform]);
      return [];
    },
    qrMeeting: async () => {
      note("qrMeeting", []);
      return qrMeeting;
    },
    joinMet: resolves("joinMet"),
    room: {
      store: room,
      leftOutServers,
      join: resolves("join"),
      leave: does("leave"),
      retryConnection: does("retryConnection"),
      letIn: resolves("letIn"),
      on: (type: keyof typeof approvalListeners, listener: (clientId: string) => void) => {
        approvalListeners[type].add(listener);
        return () => approvalListeners[type].delete(listener);
      },
      announceProfile: does("announceProfile"),
      readyPeers: () =>
        Object.values(peersOf(room.getState())).flatMap(({ clientId, ready }) => (ready ? [clientId] : [])),
      getStats: async (clientId: string) => {
        note("getStats", [clientId]);
        return fakeStats();
      },
    },
    chat: {
      get hasRoomLog() {
        return hasRoomLog;
      },
      store: chat,
      on: (_type: string, listener: ClipboardListener) => {
        clipboardListeners.add(listener);
        return () => clipboardListeners.delete(listener);
      },
      open: (id: string | null) => {
        note("open", [id]);
        const conversation = id === null ? undefined : chat.getState().conversations[id];
        chat.setState({ open: id });
        if (id !== null && conversation) setConversation(id, conversation.messages, 0);
      },
      loadAround: resolves("loadAround"),
      loadAbout: resolves("loadAbout"),
      loadFiles: resolves("loadFiles"),
      searchConversations: async function* (query: string): AsyncGenerator<SearchResults> {
        yield { conversations: foundIn(chat.getState(), query), isComplete: true };
      },
      searchConversation: (id: ConversationId, query: string, options: MessageSearchOptions) => {
        const textsBefore = async function* () {
          yield stored;
        };
        return new MessageSearch({ store: chat, textsBefore }, id, query, options).results();
      },
      lookUp: async (key: string) =>
        Object.values(chat.getState().conversations)
          .flatMap((conversation) => conversation?.messages ?? [])
          .find((message) => message.key === key) ?? null,
      sendText: resolves("sendText"),
      typing,
      sendTyping: does("sendTyping"),
      editText: resolves("editText"),
      deleteMessage: resolves("deleteMessage"),
      react: resolves("react"),
      sendFile: resolves("sendFile"),
      listings,
      searches,
      rooms,
      setMuted: does("setMuted"),
      acceptContact: does("acceptContact"),
      prepareSearch: resolves("prepareSearch"),
      forgetRoom: resolves("forgetRoom"),
      updateRoom: does("updateRoom"),
      heldUp,
      missing,
      members,
      ownFloor,
      membersOf: async () => members.getState(),
      removeMember: does("removeMember"),
      allowMember: does("allowMember"),
      askShares: resolves("askShares"),
      fetchShares: resolves("fetchShares"),
      stopShare: resolves("stopShare"),
      forwardFile: resolves("forwardFile"),
      deleteFiles: resolves("deleteFiles"),
      sendTree: resolves("sendTree"),
      sendClipboard: resolves("sendClipboard"),
      retry: does("retry"),
      remove: resolves("remove"),
      acceptFile: resolves("acceptFile"),
      declineFile: resolves("declineFile"),
      pauseFile: resolves("pauseFile"),
      resumeFile: resolves("resumeFile"),
      cancelFile: resolves("cancelFile"),
      sendAgain: resolves("sendAgain"),
      askAgain: resolves("askAgain"),
      deleteContact: resolves("deleteContact"),
      permit: does("permit"),
      setRedirect: does("setRedirect"),
      markVerified: does("markVerified"),
      reportMismatch: does("reportMismatch"),
      unblock: does("unblock"),
      block: (id: string) => {
        note("block", [id]);
        return does("undoBlock");
      },
    },
    transfers: { store: transfers },
    call: {
      store: call,
      ringing,
      open: async () => {
        call.setState(inCall.call, true);
        return inCall.call;
      },
      get isOngoing() {
        const { outgoing, partner } = ringing.store.getState();
        const state = call.getState()?.store.getState();
        return outgoing !== null || partner !== null || (state !== undefined && isTakingPart(state));
      },
      beginStart: () => {
        const begun = {};
        start = begun;
        return () => start === begun;
      },
      leave: () => {
        start = null;
        ringing.hangUp();
        call.getState()?.leave();
      },
    },
    files: {
      store: library,
      get isLoaded() {
        return isLibraryLoaded;
      },
      open: async (fid: string) => {
        note("openFile", [fid]);
        return kept.get(fid) ?? null;
      },
      readManifest,
      offered: {
        changedFileOf: (fid: string) => changed.get(fid) ?? null,
        isLostWithPage: (fid: string) => !kept.has(fid),
      },
      freeBytes: async () => freeBytes,
      setShared: resolves("setShared"),
      markSaved: resolves("markSaved"),
    },
  };

  // The services are classes with private members, which a fake cannot have.
  const warren = services as unknown as Warren;
  return {
    warren,
    tab: new Tab({ warren, tabStorage: fakeStorage() }),
    call: inCall,
    calls,
    argsOf: (verb) => calls.filter((call) => call.verb === verb).map((call) => call.args),
    fail: (verb, error) => failures.set(verb, error),
    setRoom: (state) => room.setState(state, true),
    setQrMeeting: (meeting) => {
      qrMeeting = meeting;
    },
    setNearby: (status) => nearby.setState(status, true),
    setChat: (change) => chat.setState(change),
    setRooms: (visited) => rooms.setState(visited, true),
    setOptions: (change) => options.setState(change),
    setTyping: (state) => typing.setState(state, true),
    setTransfer: (transfer) =>
      transfers.setState((state) => new Map(state).set(transfer.key, transfer), true),
    setSearches: (found) => searches.setState(found, true),
    setMissing: (counts) => missing.setState(counts, true),
    setRoomLog: (isKept) => {
      hasRoomLog = isKept;
    },
    setMembers: (seen) => members.setState(seen, true),
    setOwnFloor: (floor) => ownFloor.setState(floor, true),
    setHeldUp: (conversation, count) => heldUp.setState({ [conversation]: count }),
    setListing: (peer, change) => {
      listings.setState(
        (state) => new Map(state).set(peer, { ...unasked, ...state.get(peer), ...change }),
        true,
      );
    },
    addMessage: (message) => {
      const { conversations, open } = chat.getState();
      const { messages = [], unread = 0 } = conversations[message.conversation] ?? {};
      const isNew = message.client !== me && open !== message.conversation;
      setConversation(message.conversation, [...messages, message], isNew ? unread + 1 : unread);
    },
    changeMessage: (message) => {
      const { messages = [], unread = 0 } = chat.getState().conversations[message.conversation] ?? {};
      const changed = messages.map((other) => (other.key === message.key ? message : other));
      setConversation(message.conversation, changed, unread);
    },
    setLibrary: (files) => {
      isLibraryLoaded = true;
      library.setState(files, true);
    },
    storeTexts: (texts) => {
      stored = texts;
    },
    setShortCodes: (codes) => {
      shortCodes = codes;
    },
    keepFile: (fid, file) => kept.set(fid, file),
    changeFile: (fid, file) => changed.set(fid, file),
    refuseServer: (url, reason) => refusals.set(url, reason),
    leaveOutServers: (leftOut) => leftOutServers.setState(leftOut, true),
    needApproval: (clientId) => {
      for (const listener of approvalListeners["approval-needed"]) listener(clientId);
    },
    endApproval: (clientId) => {
      for (const listener of approvalListeners["approval-over"]) listener(clientId);
    },
    receiveClipboard: (from, text, allowed = false) => {
      const message: TextMessage = fakeText(from, from, text, 1, { clipboard: true });
      for (const listener of clipboardListeners) listener(message, allowed);
    },
  };
}
