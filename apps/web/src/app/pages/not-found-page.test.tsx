import { cleanup, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { NotFoundPage } from "./not-found-page.tsx";

afterEach(() => {
  cleanup();
  history.replaceState(null, "", "/");
});

describe("an unknown address", () => {
  it.each([
    ["/no/such/page", "/no/such/page"],
    ["/caf%C3%A9%3Da%2Fb", "/café=a/b"],
    ["/100%25", "/100%"],
    ["/half%", "/half%"],
    ["/%E9", "/%E9"],
  ])("%s is shown as %s", (address, named) => {
    history.replaceState(null, "", address);
    renderWithWarren(<NotFoundPage />, fakeWarren());
    expect(screen.getByRole("heading", { name: `Nothing at ${named}` })).not.toBeNull();
  });
});
