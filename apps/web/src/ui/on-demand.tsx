import { type ComponentType, type ReactNode, useEffect, useState, useSyncExternalStore } from "react";

/** Code that is fetched when it is first wanted, or once the page is at rest. */
export interface OnDemand<T> {
  /** What was loaded, undefined until then. */
  get(): T | undefined;
  /** Loads it once. Rejects with {@link CodeMissing} when it cannot be fetched; the next call tries again. */
  load(): Promise<T>;
  /** Calls back once it is there. @returns what stops that. */
  subscribe(listener: () => void): () => void;
}

/** Code that could not be fetched or does not run; `cause` says why. */
export class CodeMissing extends Error {
  override readonly name = "CodeMissing";

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

const all = new Set<OnDemand<unknown>>();

/** Code on demand, from a function that imports it. */
export function onDemand<T>(fetchCode: () => Promise<T>): OnDemand<T> {
  let loaded: T | undefined;
  let loading: Promise<T> | undefined;
  const listeners = new Set<() => void>();

  const fetchOnce = async (): Promise<T> => {
    try {
      loaded = await fetchCode();
    } catch (failure) {
      loading = undefined;
      throw new CodeMissing(failure);
    }
    for (const listener of listeners) listener();
    return loaded;
  };

  const code: OnDemand<T> = {
    get: () => loaded,
    load() {
      loading ??= fetchOnce();
      return loading;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  all.add(code);
  return code;
}

/** Loads all code that waits for its first use, so that nothing waits for it then. What fails is tried when used. */
export async function loadAllOnDemand(): Promise<void> {
  // What was loaded may have code of its own that waits.
  for (let begun = 0; begun < all.size; ) {
    const waiting = [...all].slice(begun);
    begun = all.size;
    await Promise.allSettled(waiting.map((code) => code.load()));
  }
}

interface LoadedProps<T> {
  readonly code: OnDemand<T>;
  readonly children: (loaded: T) => ReactNode;
}

/** Draws with what was loaded, and nothing until it is there. */
export function Loaded<T>({ code, children }: LoadedProps<T>) {
  const loaded = useSyncExternalStore(code.subscribe, code.get);
  return loaded === undefined ? null : children(loaded);
}

/**
 * A component whose code is fetched when it is first drawn, or once the page is at rest; `fallback` stands in its
 * place until then. React's `lazy` would show the fallback, for up to 300 ms, even for code that is there already.
 * What cannot be fetched is thrown to the error boundary around.
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
      let isDrawn = true;
      code.load().catch((reason: unknown) => isDrawn && setFailure({ reason }));
      return () => {
        isDrawn = false;
      };
    }, []);
    if (failure) throw failure.reason;
    return Component === undefined ? fallback : <Component {...props} />;
  };
}
