import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import "../../testing/longer-timeout.ts";
import { Tooltip, TooltipProvider } from "./tooltip.tsx";

afterEach(cleanup);

describe("a tooltip", () => {
  const withTooltips = (children: ReactNode) => <TooltipProvider>{children}</TooltipProvider>;
  const two = withTooltips(
    <>
      <Tooltip text="First words" keys="F">
        <button type="button">One</button>
      </Tooltip>
      <Tooltip text="Second words">
        <button type="button">Two</button>
      </Tooltip>
      <Tooltip text={undefined}>
        <button type="button">Three</button>
      </Tooltip>
    </>,
  );
  const shown = () => document.querySelector("[data-tooltip-panel]")?.textContent;

  it("comes at once with the keyboard's focus, and goes with Escape", async () => {
    const user = userEvent.setup();
    render(two);
    await user.tab();
    await waitFor(() => expect(shown()).toContain("First wordsF"));
    await user.tab();
    await waitFor(() => expect(shown()).toContain("Second words"));
    await user.keyboard("{Escape}");
    await waitFor(() => expect(shown()).toBeUndefined());
    await user.tab();
    expect(shown()).toBeUndefined();
  });

  it("does not come with the focus where a finger is the pointer", async () => {
    const user = userEvent.setup();
    render(two);
    vi.spyOn(window, "matchMedia").mockImplementation((query) =>
      Object.assign(new EventTarget() as MediaQueryList, { matches: query === "(pointer: coarse)" }),
    );
    await user.tab();
    expect(document.activeElement?.textContent).toBe("One");
    expect(shown()).toBeUndefined();
    vi.restoreAllMocks();
    await user.tab();
    await waitFor(() => expect(shown()).toContain("Second words"));
  });

  it("goes with its control", async () => {
    const user = userEvent.setup();
    const { rerender } = render(two);
    await user.tab();
    await waitFor(() => expect(shown()).toContain("First words"));
    rerender(withTooltips(null));
    await waitFor(() => expect(shown()).toBeUndefined());
  });

  it("comes 700 ms after the pointer", async () => {
    const user = userEvent.setup();
    render(two);
    const start = performance.now();
    await user.hover(screen.getByRole("button", { name: "One" }));
    await waitFor(() => expect(shown()).toContain("First words"), { timeout: 2_000 });
    expect(performance.now() - start).toBeGreaterThan(690);
  });
});
