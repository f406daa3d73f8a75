import { isHashed, type ShellCache } from "./shell-cache.ts";

/** How long a page waits for the network before the cached one is used. */
const timeoutMs = 3_000;
/** The server's own addresses, which are not pages. */
const serverPaths = new Set(["/ws", "/healthz", "/readyz"]);

/** The parts of a fetch event that determine the response. */
export interface IncomingRequest {
  readonly request: Pick<Request, "method" | "mode" | "url" | "headers">;
  /** The id of the requesting page, unless the request opens a page. */
  readonly clientId: string;
  /** The page being opened. */
  readonly resultingClientId: string;
  /** The network's response, which may already be in flight. */
  readonly fetch: () => Promise<Response>;
}

interface HandlerDeps {
  readonly shell: Pick<ShellCache, "find" | "findPage" | "isFile">;
  /** The address of the app, with a trailing slash. Other addresses are ignored. */
  readonly home: string;
  readonly delay: (ms: number) => Promise<void>;
}

/** The kind of a request; `nothing` is left to the browser, as without a service worker. */
export type RequestKind = "page" | "file" | "share" | "nothing";

/**
 * Responds to the requests of pages. A page comes from the network, or from the cache if the network is
 * silent or broken; a hashed file from the cache; any other file from the same source as its page.
 */
export class RequestHandler {
  readonly #deps: HandlerDeps;
  /** Pages that came from the cache: all their files must be of the same version. */
  readonly #cachedPages = new Set<string>();

  constructor(deps: HandlerDeps) {
    this.#deps = deps;
  }

  kindOf({ request }: Pick<IncomingRequest, "request">): RequestKind {
    const { shell } = this.#deps;
    const path = this.#pathOf(request.url);
    if (path === null) return "nothing";
    const isNavigation = request.mode === "navigate";
    if (request.method === "POST" && isNavigation && path === "/share") return "share";
    if (request.method !== "GET" || request.headers.has("range")) return "nothing";
    if (isNavigation) return isPage(path) ? "page" : "nothing";
    return new URL(request.url).search === "" && shell.isFile(path) ? "file" : "nothing";
  }

  async page(incoming: IncomingRequest): Promise<Response> {
    const { shell, delay } = this.#deps;
    const network = incoming.fetch();
    const cached = await shell.findPage();
    if (cached === undefined) return network;
    const response = await Promise.race([
      network.catch(() => null),
      delay(timeoutMs).then(() => null), // a network that accepts packets without replying
    ]);
    // A proxy whose server is down replies too.
    if (response !== null && response.status < 500) return response;
    this.#cachedPages.add(incoming.resultingClientId);
    return cached;
  }

  async file(incoming: IncomingRequest): Promise<Response> {
    const { shell } = this.#deps;
    const path = this.#pathOf(incoming.request.url) ?? "";
    if (isHashed(path) || this.#cachedPages.has(incoming.clientId))
      return (await shell.find(path)) ?? incoming.fetch();
    try {
      return await incoming.fetch();
    } catch (failure) {
      const cached = await shell.find(path);
      if (cached === undefined) throw failure;
      return cached;
    }
  }

  /** The path within the app, from `/`; null outside of it. */
  #pathOf(address: string): string | null {
    const { home } = this.#deps;
    const { origin, pathname } = new URL(address);
    const whole = origin + pathname;
    return whole.startsWith(home) ? whole.slice(home.length - 1) : null;
  }
}

/** Whether the server would respond to a path with the app's page. */
function isPage(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return !name.includes(".") && !serverPaths.has(path);
}
