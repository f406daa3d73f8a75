import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it } from "vitest";
import "../../testing/longer-timeout.ts";
import { Popover } from "./popover.tsx";

afterEach(cleanup);

describe("a popover", () => {
  it("that is a sheet on a phone closes when its handle is pulled down", async () => {
    // happy-dom has no pointer capture.
    HTMLElement.prototype.setPointerCapture = () => {};
    const user = userEvent.setup();
    render(
      <Popover isSheet label="Volume" trigger={<button type="button">Options</button>}>
        Loud
      </Popover>,
    );
    await user.click(screen.getByRole("button", { name: "Options" }));
    const panel = await screen.findByRole("dialog", { name: "Volume" });
    expect(panel.hasAttribute("data-sheet")).toBe(true);
    const handle = panel.querySelector("[aria-hidden=true]") ?? expect.fail();
    fireEvent.pointerDown(handle, { pointerId: 1, clientY: 400 });
    fireEvent.pointerUp(handle, { pointerId: 1, clientY: 490 });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("opens and closes with its button, and with Escape", async () => {
    const user = userEvent.setup();
    render(
      <Popover label="Details" trigger={<button type="button">Who</button>}>
        <button type="button">Inside</button>
      </Popover>,
    );
    const trigger = screen.getByRole("button", { name: "Who" });
    await user.click(trigger);
    const panel = await screen.findByRole("dialog", { name: "Details" });
    expect(panel.id).toBe(trigger.getAttribute("aria-controls"));
    expect(document.activeElement).toBe(panel);
    await user.click(trigger);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.click(trigger);
    await screen.findByRole("dialog");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(document.activeElement).toBe(trigger));
  });
});
