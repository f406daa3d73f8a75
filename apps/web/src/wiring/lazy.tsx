import { type ComponentType, lazy as reactLazy } from "react";

/** Errors of code that could not be fetched. */
const missing = new WeakSet<Error>();
window.addEventListener("vite:preloadError", ({ payload }) => missing.add(payload));

/**
 * Whether an error is that of code that could not be fetched. Browsers remember it for the lifetime of the page, so only a
 * reload fetches it again.
 */
export function isMissingCode(error: unknown): boolean {
  return error instanceof Error && missing.has(error);
}

const loads = new Set<() => Promise<unknown>>();

/**
 * A component whose code is fetched when it is first rendered, or by {@link loadAll}; then it renders at once, where React's
 * own would show the fallback for up to 300 ms. Renders inside a `Suspense`.
 */
export function lazy<Props extends object>(
  fetchComponent: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined;
  const load = async () => {
    Loaded ??= await fetchComponent();
    return { default: Loaded };
  };
  loads.add(load);
  const Waiting: ComponentType<Props> = reactLazy(load);
  return function Lazy(props: Props) {
    const Component = Loaded ?? Waiting;
    return <Component {...props} />;
  };
}

/** Evaluates the code of all lazy components, so that using them does not wait. Rejects if some cannot be fetched. */
export async function loadAll(): Promise<void> {
  // Loaded code may bring lazy components of its own.
  for (let started = 0; started < loads.size; ) {
    const next = [...loads].slice(started);
    started = loads.size;
    await Promise.all(next.map((load) => load()));
  }
}
