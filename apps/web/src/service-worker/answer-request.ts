import { isHashed, type ShellCache } from "./shell-cache.ts";

/** Pages wait this long for the network before they come as they were kept. */
const patienceMs = 3_000;
/** Addresses of the server's own, which are no pages. */
const serverPaths = new Set(["/ws", "/healthz", "/readyz"]);

/** Of a fetch event, what an answer depends on. */
export interface AskedFor {
  readonly request: Pick<Request, "method" | "mode" | "url" | "headers">;
  /** Who asks, where that is not a page being opened. */
  readonly clientId: string;
  /** The page being opened. */
  readonly resultingClientId: string;
  /** The answer of the network, where it is on its way already. */
  readonly fetch: () => Promise<Response>;
}

interface Answering {
  readonly shell: Pick<ShellCache, "find" | "findPage" | "isFile">;
  /** The address of the app, with a slash at its end: what does not begin with it is another's. */
  readonly home: string;
  readonly wait: (ms: number) => Promise<void>;
}

/** What a request asks for; `nothing` is left to the browser, as if there were no service worker. */
export type Asked = "page" | "file" | "share" | "nothing";

/**
 * Answers the requests of pages: a page itself from the network, or as it was kept when the network is silent or broken;
 * hashed files as they were kept; the others from where their page came from.
 */
export class Answers {
  readonly #ports: Answering;
  /** Pages that came as they were kept: all they stand on is to be of the same version. */
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
      wait(patienceMs).then(() => null), // a network that takes packets and gives none
    ]);
    // A proxy whose server is gone answers too.
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

/** Whether the server would answer a path with the page of the app. */
function isPage(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return !name.includes(".") && !serverPaths.has(path);
}
