/** A file of the build by its path within the app, such as `/index.html`, and the digest it must have. */
export type ShellFile = readonly [path: string, integrity: string];

/** All of a build that is kept, and the name of just these files in just this state. */
export interface Shell {
  readonly version: string;
  readonly files: readonly ShellFile[];
}

interface ShellCachePorts {
  readonly caches: Pick<CacheStorage, "open" | "keys" | "delete" | "match">;
  readonly fetch: (request: Request) => Promise<Response>;
  /** The address of the app, with a slash at its end. */
  readonly home: string;
}

const pagePath = "/index.html";
/** So many files are fetched at once: the page itself may be fetching too. */
const width = 4;

/**
 * The files of one build, kept whole: either all of them are there, each with the digest the build gave it, or none counts.
 * Nothing else is ever put in, and the keys are the paths that the build lists: no query and no address of a person.
 */
export class ShellCache {
  /** How all caches of this app begin; another Warren at another path of the same host has its own. */
  readonly #prefix: string;
  readonly #name: string;
  readonly #files: ReadonlyMap<string, string>;
  readonly #ports: ShellCachePorts;

  constructor({ version, files }: Shell, ports: ShellCachePorts) {
    this.#prefix = `warren${new URL(ports.home).pathname.slice(0, -1)}-shell-`;
    this.#name = this.#prefix + version;
    this.#files = new Map(files);
    this.#ports = ports;
  }

  /** Fetches all files. Rejects, and keeps nothing, when one does not come or is not the build's. */
  async fill(): Promise<void> {
    const { caches, fetch } = this.#ports;
    const cache = await caches.open(this.#name);
    const left = [...this.#files];
    const fetchNext = async (): Promise<void> => {
      for (let file = left.pop(); file !== undefined; file = left.pop()) {
        const [path, integrity] = file;
        // Only hashed names may come from the browser's own cache: the others change with each build.
        const mode: RequestCache = isHashed(path) ? "default" : "no-cache";
        const response = await fetch(new Request(this.#addressOf(path), { integrity, cache: mode }));
        if (!response.ok) throw new Error(`${path} is answered with ${response.status}`);
        await cache.put(this.#addressOf(path), withoutRedirect(response));
      }
    };
    try {
      await Promise.all(Array.from({ length: width }, fetchNext));
    } catch (failure) {
      left.length = 0;
      await caches.delete(this.#name);
      throw failure;
    }
  }

  /** Deletes what earlier versions kept. */
  async dropOthers(): Promise<void> {
    const { caches } = this.#ports;
    const others = (await caches.keys()).filter(
      (name) => name.startsWith(this.#prefix) && name !== this.#name,
    );
    await Promise.all(others.map((name) => caches.delete(name)));
  }

  /** Whether a path is a file of this build, or a hashed one of any. */
  isFile(path: string): boolean {
    return isHashed(path) || this.#files.has(path);
  }

  /** A file as it is kept: a hashed one also by a version that still waits, which a newer page already stands on. */
  find(path: string): Promise<Response | undefined> {
    const { caches } = this.#ports;
    return caches.match(this.#addressOf(path), {
      ignoreVary: true, // how a file was packed for the way does not matter here
      ...(isHashed(path) ? {} : { cacheName: this.#name }),
    });
  }

  /** The page, from which every address of the app is drawn. */
  findPage(): Promise<Response | undefined> {
    return this.find(pagePath);
  }

  #addressOf(path: string): string {
    return new URL(`.${path}`, this.#ports.home).href;
  }
}

/** Browsers take a redirected answer to a navigation for a network error; some hosts redirect `/index.html` to `/`. */
function withoutRedirect(response: Response): Response {
  if (!response.redirected) return response;
  const { body, headers, status } = response;
  return new Response(body, { headers, status });
}

/** Its name holds a hash of its content, so that it never changes. */
export function isHashed(path: string): boolean {
  return path.startsWith("/assets/");
}
