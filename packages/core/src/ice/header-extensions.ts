const extension = /^a=extmap:(\d+)(?:\/\w+)? ([^\s]+)[^\r\n]*\r?\n/gm;

/**
 * The header extensions that our own descriptions of a connection have named, by their id. Chromium never forgets them, not
 * even those of an offer that it took back for one of the peer, and refuses the peer's if that gives an id to another
 * extension. Firefox numbers them otherwise.
 */
export class HeaderExtensions {
  readonly #uris = new Map<string, string>();

  add(own: string): void {
    for (const [, id = "", uri = ""] of own.matchAll(extension)) this.#uris.set(id, uri);
  }

  /** The peer's description without extensions whose id is taken; media do without them. */
  without(sdp: string): string {
    return sdp.replace(extension, (line, id: string, uri: string) =>
      (this.#uris.get(id) ?? uri) === uri ? line : "",
    );
  }
}
