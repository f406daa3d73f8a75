import { isHashed, type ShellCache } from "./shell-cache.ts";

/** How long a page waits for the network before the cached one is used. */
const timeoutMs = 3_000;
/** The server's own addresses, which are not pages. */
const serverPaths = new Set(["/ws", "/healthz", "/readyz"]);

/** The parts of a fetch event that determine the response. */
export interface AskedFor {
  readonly request: Pick<Request, "method" | "mode" | "url" | "headers">;
  /** The requesting client, unless the request opens a page. */
  readonly clientId: string;
  /** The page being opened. */
  readonly resultingClientId: string;
  /** The network's response, which may already be in flight. */
  readonly fetch: () => Promise<Response>;
}

interface Answering {
  readonly shell: Pick<ShellCache, "find" | "findPage" | "isFile">;
  /** The address of the app, with a trailing slash. Other addresses are ignored. */
  readonly home: string;
  readonly wait: (ms: number) => Promise<void>;
}

/** The kind of a request; `nothing` is left to the browser, as without a service worker. */
export type Asked = "page" | "file" | "share" | "nothing";

/**
 * Responds to the requests of pages. A page comes from the network, or from the cache if the network is
 * silent or broken; a hashed file from the cache; any other file from the same source as its page.
 */
export class Answers {
  readonly #ports: Answering;
  /** Pages that came from the cache: all their files must be of the same version. */
  readonly #keptPages = new Set<string>();

  constructor(ports: Answering) {
    this.#ports = ports;
  }

  asked({ request }: Pick<AskedFor, "request">): Asked {
    const { shell } = this.#ports;
    const path = this.#pathOf(request.url);
    if (path === null) return "nothing";
    const isNavigation = request.mode === "navigate";
    if (request.method === "POST" && isNavigation && path === "/share") return "share";
    if (request.method !== "GET" || request.headers.has("range")) return "nothing";
    if (isNavigation) return isPage(path) ? "page" : "nothing";
    return new URL(request.url).search === "" && shell.isFile(path) ? "file" : "nothing";
  }

  async page(asked: AskedFor): Promise<Response> {
    const { shell, wait } = this.#ports;
    const network = asked.fetch();
    const kept = await shell.findPage();
    if (kept === undefined) return network;
    const answer = await Promise.race([
      network.catch(() => null),
      wait(timeoutMs).then(() => null), // a network that accepts packets without replying
    ]);
    // A proxy whose server is down replies too.
    if (answer !== null && answer.status < 500) return answer;
    this.#keptPages.add(asked.resultingClientId);
    return kept;
  }

  async file(asked: AskedFor): Promise<Response> {
    const { shell } = this.#ports;
    const path = this.#pathOf(asked.request.url) ?? "";
    if (isHashed(path) || this.#keptPages.has(asked.clientId))
      return (await shell.find(path)) ?? asked.fetch();
    try {
      return await asked.fetch();
    } catch (failure) {
      const kept = await shell.find(path);
      if (kept === undefined) throw failure;
      return kept;
    }
  }

  /** The path within the app, from `/`; null outside of it. */
  #pathOf(address: string): string | null {
    const { home } = this.#ports;
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
