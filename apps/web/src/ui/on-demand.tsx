import { WarrenError } from "@warren/protocol";
import { type ComponentType, type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { createStore } from "zustand/vanilla";
import { loadAllWords } from "../i18n/i18n.ts";

/** Code that is fetched, with the words it shows, on first use or once the page is idle. */
export interface OnDemand<T> {
  /** The loaded code; undefined until then. */
  get(): T | undefined;
  /** Loads it once. Rejects with {@link CodeMissing} when it cannot be fetched; the next call retries. */
  load(): Promise<T>;
  /**
   * Calls back once it is loaded.
   * @returns a function that unsubscribes.
   */
  subscribe(listener: () => void): () => void;
}

/** Code that could not be fetched or evaluated; `cause` has the reason. */
export class CodeMissing extends Error {
  override readonly name = "CodeMissing";

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** The HTTP error behind missing code: the server has another version by now, or is broken. */
export function httpErrorOf(error: unknown): { readonly code: number } | null {
  if (!(error instanceof CodeMissing)) return null;
  const { cause } = error;
  return cause instanceof WarrenError && cause.code === "http-error"
    ? { code: Number(cause.values.code) }
    : null;
}

const all = new Set<OnDemand<unknown>>();

/** Creates on-demand code from a function that imports it. */
export function onDemand<T>(fetchCode: () => Promise<T>): OnDemand<T> {
  const store = createStore<T | undefined>(() => undefined);
  let loading: Promise<T> | undefined;

  const fetchOnce = async (): Promise<T> => {
    try {
      const [loaded] = await Promise.all([fetchCode(), loadAllWords()]);
      store.setState(() => loaded, true); // loaded code may be a function itself
      return loaded;
    } catch (failure) {
      loading = undefined;
      throw new CodeMissing(failure);
    }
  };

  const code: OnDemand<T> = {
    get: store.getState,
    load() {
      loading ??= fetchOnce();
      return loading;
    },
    subscribe: store.subscribe,
  };
  all.add(code);
  return code;
}

/** Loads all on-demand code, so that later uses do not wait for it. Failures are retried on use. */
export async function loadAllOnDemand(): Promise<void> {
  // Loaded code may register further on-demand code.
  for (let started = 0; started < all.size; ) {
    const waiting = [...all].slice(started);
    started = all.size;
    await Promise.allSettled(waiting.map((code) => code.load()));
  }
}

interface LoadedProps<T> {
  readonly code: OnDemand<T>;
  readonly children: (loaded: T) => ReactNode;
}

/** Renders with the loaded code; renders nothing until it is loaded. */
export function Loaded<T>({ code, children }: LoadedProps<T>) {
  const loaded = useSyncExternalStore(code.subscribe, code.get);
  return loaded === undefined ? null : children(loaded);
}

/**
 * A component whose code is fetched when it is first rendered, or once the page is idle; until then
 * `fallback` is shown. React's `lazy` would show the fallback for up to 300 ms even if the code is already
 * loaded. A failed fetch is thrown to the surrounding error boundary.
 */
export function componentOnDemand<Props extends object>(
  fetchComponent: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): ComponentType<Props> {
  const code = onDemand(fetchComponent);
  return function OnDemandComponent(props: Props) {
    const Component = useSyncExternalStore(code.subscribe, code.get);
    const [failure, setFailure] = useState<{ readonly reason: unknown }>();
    useEffect(() => {
      let isMounted = true;
      code.load().catch((reason: unknown) => isMounted && setFailure({ reason }));
      return () => {
        isMounted = false;
      };
    }, []);
    if (failure) throw failure.reason;
    return Component === undefined ? fallback : <Component {...props} />;
  };
}
