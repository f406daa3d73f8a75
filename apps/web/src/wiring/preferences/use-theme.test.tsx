import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { themeStorageKey, useTheme, useThemeChanges } from "./use-theme.ts";

let systemDark = false;
let changeSystemTheme: () => void = () => {};

beforeEach(() => {
  systemDark = false;
  localStorage.clear();
  document.documentElement.className = "";
  vi.stubGlobal("matchMedia", () => ({
    get matches() {
      return systemDark;
    },
    addEventListener: (_type: string, listener: () => void) => {
      changeSystemTheme = listener;
    },
    removeEventListener: () => {},
  }));
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function useFollowedTheme() {
  useThemeChanges();
  return useTheme();
}

function isDark(): boolean {
  return document.documentElement.classList.contains("dark");
}

describe("the theme", () => {
  test("is the system's by default and follows its changes", () => {
    const { result } = renderHook(useFollowedTheme);
    act(() => result.current.setTheme("system"));
    expect(result.current.theme).toBe("system");
    expect(isDark()).toBe(false);
    systemDark = true;
    act(changeSystemTheme);
    expect(isDark()).toBe(true);
  });

  test("stays as chosen, whatever the system prefers, and is stored", () => {
    const { result } = renderHook(useFollowedTheme);
    act(() => result.current.setTheme("light"));
    systemDark = true;
    act(changeSystemTheme);
    expect(result.current.theme).toBe("light");
    expect(isDark()).toBe(false);
    expect(localStorage.getItem(themeStorageKey)).toBe("light");
  });

  test("follows a choice made in another tab", () => {
    const { result } = renderHook(useFollowedTheme);
    localStorage.setItem(themeStorageKey, "dark");
    act(() => void window.dispatchEvent(new StorageEvent("storage", { key: themeStorageKey })));
    expect(result.current.theme).toBe("dark");
    expect(isDark()).toBe(true);
  });
});
