import { cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { useDocumentTitle } from "./use-document-title.ts";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test("a title changes at once, without the former one in between, which returns at the end", () => {
  document.title = "before";
  const set = vi.spyOn(document, "title", "set");
  const { rerender, unmount } = renderHook(({ title }) => useDocumentTitle(title), {
    initialProps: { title: "1%" },
  });
  rerender({ title: "2%" });
  unmount();
  expect(set.mock.calls.flat()).toEqual(["1%", "2%", "before"]);
});
