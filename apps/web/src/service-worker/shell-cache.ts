/** A file of the build by its path within the app, such as `/index.html`, and the digest it must have. */
export type ShellFile = readonly [path: string, integrity: string];

/** All cached files of a build, and a name for exactly these files. */
export interface Shell {
  readonly version: string;
  readonly files: readonly ShellFile[];
}

interface ShellCacheDeps {
  readonly caches: Pick<CacheStorage, "open" | "keys" | "delete" | "match">;
  readonly fetch: (request: Request) => Promise<Response>;
  /** The address of the app, with a trailing slash. */
  readonly home: string;
}

const pagePath = "/index.html";
/** Concurrent fetches: few, because the page may be fetching too. */
const width = 4;

/**
 * The files of one build, stored completely or not at all, each with the digest from the build. Nothing else
 * is ever stored, and the keys are the build's paths: no query and no user's address.
 */
export class ShellCache {
  /** The prefix of this app's caches; another Warren at another path of the same host has its own. */
  readonly #prefix: string;
  readonly #name: string;
  readonly #files: ReadonlyMap<string, string>;
  readonly #deps: ShellCacheDeps;

  constructor({ version, files }: Shell, deps: ShellCacheDeps) {
    this.#prefix = `warren${new URL(deps.home).pathname.slice(0, -1)}-shell-`;
    this.#name = this.#prefix + version;
    this.#files = new Map(files);
    this.#deps = deps;
  }

  /** Fetches all files. Rejects and stores nothing if one is missing or differs from the build. */
  async fill(): Promise<void> {
    const { caches, fetch } = this.#deps;
    const cache = await caches.open(this.#name);
    const left = [...this.#files];
    const fetchNext = async (): Promise<void> => {
      for (let file = left.pop(); file !== undefined; file = left.pop()) {
        const [path, integrity] = file;
        // Only hashed files may come from the browser's own cache: the others change with each build.
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

  /** Deletes the caches of earlier versions. */
  async dropOthers(): Promise<void> {
    const { caches } = this.#deps;
    const others = (await caches.keys()).filter(
      (name) => name.startsWith(this.#prefix) && name !== this.#name,
    );
    await Promise.all(others.map((name) => caches.delete(name)));
  }

  /** Whether a path is a file of this build, or a hashed file of any build. */
  isFile(path: string): boolean {
    return isHashed(path) || this.#files.has(path);
  }

  /**
   * A cached file. A hashed one may also be of a waiting version, because a newer page already uses those.
   */
  find(path: string): Promise<Response | undefined> {
    const { caches } = this.#deps;
    return caches.match(this.#addressOf(path), {
      ignoreVary: true, // content encoding does not matter here
      ...(isHashed(path) ? {} : { cacheName: this.#name }),
    });
  }

  /** The page that renders every address of the app. */
  findPage(): Promise<Response | undefined> {
    return this.find(pagePath);
  }

  #addressOf(path: string): string {
    return new URL(`.${path}`, this.#deps.home).href;
  }
}

/**
 * Browsers treat a redirected response to a navigation as a network error; some hosts redirect `/index.html`
 * to `/`.
 */
function withoutRedirect(response: Response): Response {
  if (!response.redirected) return response;
  const { body, headers, status } = response;
  return new Response(body, { headers, status });
}

/** Whether a file's name contains a hash of its content, so that it never changes. */
export function isHashed(path: string): boolean {
  return path.startsWith("/assets/");
}
