import { useSyncExternalStore } from "react";

export const themes = ["light", "dark", "system"] as const;
export type Theme = (typeof themes)[number];

/** The storage key of the choice; public/theme.js reads the same key before the first paint. */
export const themeStorageKey = "ui-theme";

const grounds = { light: "#f5f7f6", dark: "#0e1110" };
const systemQuery = "(prefers-color-scheme: dark)";
const listeners = new Set<() => void>();
let release: (() => void) | undefined;
/** The choice when storage is denied. */
let unsaved: Theme = "system";

function isTheme(value: string | null): value is Theme {
  return themes.some((theme) => theme === value);
}

function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(themeStorageKey);
    return isTheme(stored) ? stored : unsaved;
  } catch {
    return unsaved;
  }
}

function resolve(theme: Theme): "light" | "dark" {
  if (theme !== "system") return theme;
  return matchMedia(systemQuery).matches ? "dark" : "light";
}

function apply(): void {
  const resolved = resolve(readTheme());
  document.documentElement.classList.toggle("dark", resolved === "dark");
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", grounds[resolved]);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    const system = matchMedia(systemQuery);
    const onStorage = (event: StorageEvent): void => {
      if (event.key === themeStorageKey || event.key === null) apply();
    };
    system.addEventListener("change", apply);
    window.addEventListener("storage", onStorage);
    release = () => {
      system.removeEventListener("change", apply);
      window.removeEventListener("storage", onStorage);
    };
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) release?.();
  };
}

/** Sets the theme and stores it. */
function setTheme(theme: Theme): void {
  unsaved = theme;
  try {
    localStorage.setItem(themeStorageKey, theme);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  apply();
}

/**
 * The chosen theme and its resolved value; follows the system's preference and choices made in other tabs.
 */
export function useTheme(): { theme: Theme; resolved: "light" | "dark"; setTheme: (theme: Theme) => void } {
  const theme = useSyncExternalStore(subscribe, readTheme);
  const resolved = useSyncExternalStore(subscribe, () => resolve(readTheme()));
  return { theme, resolved, setTheme };
}
