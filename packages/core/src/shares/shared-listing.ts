import type { ClientId, ErrorDescription, FileDescription, FileId } from "@warren/protocol";
import type { WritableStore } from "../shared/store.ts";

/** The files a client shares with us, as far as received. */
export interface SharedListing {
  readonly request:
    | { readonly status: "asking" }
    | { readonly status: "answered" }
    | { readonly status: "failed"; readonly error: ErrorDescription };
  /** The last received list, kept while it is requested again; null before the first answer. */
  readonly files: readonly FileDescription[] | null;
  /** How many files it reports to share: more than `files` until all pages are here, or if there are too many. */
  readonly total: number;
  /** When it answered, ms since the epoch; null before. */
  readonly answeredAt: number | null;
  /** Files to be fetched, in that order. */
  readonly waiting: readonly FileDescription[];
  /** Why a file could not be requested. */
  readonly refused: ReadonlyMap<FileId, ErrorDescription>;
}

/** The files shared by each client that was asked since the page loaded. */
export type SharedListings = ReadonlyMap<ClientId, SharedListing>;

/** The listing of a client that was not asked. */
export const unasked: SharedListing = {
  request: { status: "answered" },
  files: null,
  total: 0,
  answeredAt: null,
  waiting: [],
  refused: new Map(),
};

/** Changes the listing of one client. */
export function changeListing(
  store: WritableStore<SharedListings>,
  peer: ClientId,
  change: Partial<SharedListing>,
): void {
  store.setState((state) => new Map(state).set(peer, { ...unasked, ...state.get(peer), ...change }), true);
}
