import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { renderUi } from "../../testing/render-ui.tsx";
import { FilterChips } from "./filter-chips.tsx";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const chips = [
  { value: "all", label: "All", count: 3 },
  { value: "same", label: "Same", count: 11 },
];

function show(widthPx: number) {
  vi.spyOn(HTMLElement.prototype, "scrollWidth", "get").mockReturnValue(400);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(widthPx);
  renderUi(<FilterChips label="Show" value="all" chips={chips} onChange={() => {}} />);
  return screen.getByRole("group", { name: "Show" });
}

it("fades at the edge with more chips", () => {
  const row = show(300);
  expect(row.className).toContain("mask-r");
  expect(row.className).not.toContain("mask-l");
  act(() => {
    row.scrollLeft = 100;
    row.dispatchEvent(new Event("scroll"));
  });
  expect(row.className).toContain("mask-l");
  expect(row.className).not.toContain("mask-r");
});

it("does not fade if all chips fit", () => {
  expect(show(400).className).not.toContain("mask");
});
