import { useEffect } from "react";
import { createStore } from "zustand/vanilla";
import { useWindowEvent } from "../../ui/hooks/use-window-event.ts";
import { useStore } from "../warren-context.ts";

export const themes = ["light", "dark", "system"] as const;
export type Theme = (typeof themes)[number];

/** The storage key of the choice; page-scripts/theme.js reads the same key before the first paint. */
export const themeStorageKey = "ui-theme";

const grounds = { light: "#f5f7f6", dark: "#0e1110" };
const systemQuery = "(prefers-color-scheme: dark)";

function isTheme(value: string | null): value is Theme {
  return themes.some((theme) => theme === value);
}

/** The stored choice; null if storage is denied. */
function readStored(): Theme | null {
  try {
    const stored = localStorage.getItem(themeStorageKey);
    return isTheme(stored) ? stored : "system";
  } catch {
    return null;
  }
}

/** Without storage, the choice lasts as long as the page. */
const chosen = createStore<Theme>(() => readStored() ?? "system");

function apply(): void {
  const theme = chosen.getState();
  const isDark = theme === "dark" || (theme === "system" && matchMedia(systemQuery).matches);
  document.documentElement.classList.toggle("dark", isDark);
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute("content", grounds[isDark ? "dark" : "light"]);
}

/** Sets the theme and stores it. */
function setTheme(theme: Theme): void {
  try {
    localStorage.setItem(themeStorageKey, theme);
  } catch {
    // See `chosen`.
  }
  chosen.setState(theme);
  apply();
}

/** Follows the system's preference and choices made in other tabs. */
export function useThemeChanges(): void {
  useEffect(() => {
    const system = matchMedia(systemQuery);
    system.addEventListener("change", apply);
    return () => system.removeEventListener("change", apply);
  }, []);
  useWindowEvent("storage", ({ key }) => {
    if (key !== themeStorageKey && key !== null) return;
    chosen.setState(readStored() ?? chosen.getState());
    apply();
  });
}

/** The chosen theme, and what sets another. */
export function useTheme(): { readonly theme: Theme; readonly setTheme: (theme: Theme) => void } {
  return { theme: useStore(chosen), setTheme };
}
