import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { useSelection } from "./use-selection.ts";

afterEach(cleanup);

const letters = ["a", "b", "c", "d", "e"];
const idOf = (letter: string): string => letter;

function select(selectable: readonly string[] = letters) {
  const { result, rerender } = renderHook(({ items }) => useSelection(items, idOf), {
    initialProps: { items: selectable },
  });
  return {
    rerender: (items: readonly string[]) => rerender({ items }),
    selected: () => result.current.items.join(""),
    toggle: (id: string) => act(() => result.current.toggle(id)),
    extendTo: (id: string, shown = letters, from?: string) =>
      act(() => result.current.extendTo(id, shown, from)),
    toggleAll: (shown: readonly string[]) => act(() => result.current.toggleAll(shown)),
    clear: () => act(() => result.current.clear()),
  };
}

it("a range begins at the item toggled last, and the next one replaces it", () => {
  const { selected, toggle, extendTo } = select();
  toggle("a");
  toggle("c");
  extendTo("e");
  expect(selected()).toBe("acde");
  extendTo("d");
  expect(selected()).toBe("acd");
  extendTo("b");
  expect(selected()).toBe("abc");
});

it("a range begins where the focus was if nothing has been toggled", () => {
  const { selected, extendTo, clear } = select();
  extendTo("c", letters, "b");
  extendTo("d", letters, "c");
  expect(selected()).toBe("bcd");
  extendTo("c", letters, "d");
  expect(selected()).toBe("bc");
  clear();
  extendTo("e", letters, "d");
  expect(selected()).toBe("de");
});

it("a range has the shown items only, in their order, and ends at an item that is among them", () => {
  const { selected, toggle, extendTo } = select();
  toggle("a");
  extendTo("e", ["e", "c", "a"]);
  expect(selected()).toBe("ace");
  extendTo("b", ["e", "c", "a"]);
  expect(selected()).toBe("ace");
});

it("all shown items are selected, or none; what was deleted is not", () => {
  const { selected, toggleAll, rerender } = select();
  toggleAll(["a", "b"]);
  rerender(["b", "c"]);
  expect(selected()).toBe("b");
  toggleAll(["a", "b"]);
  expect(selected()).toBe("");
});
