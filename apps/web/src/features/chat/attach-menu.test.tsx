import { cleanup, screen, waitFor } from "@testing-library/react";
import { everyone } from "@warren/core";
import { afterEach, beforeAll, expect, test } from "vitest";
import { isOccupied } from "../../components/occupied.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { loadAllOnDemand } from "../../ui/on-demand.tsx";
import { AttachMenu } from "./attach-menu.tsx";

beforeAll(loadAllOnDemand);
afterEach(cleanup);

test("the menu of what can be sent keeps the page from changing the conversation under it", async () => {
  const send = { text: async () => true, clipboard: () => {}, items: async () => {} };
  const { user } = renderWithWarren(<AttachMenu conversationId={everyone} send={send} />, fakeWarren());
  expect(isOccupied()).toBe(false);
  await user.click(screen.getByRole("button", { name: /^Files/ }));
  await screen.findByRole("menuitem", { name: "Files" });
  expect(isOccupied()).toBe(true);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(isOccupied()).toBe(false));
});
