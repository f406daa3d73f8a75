import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Route, Switch } from "wouter";
import { clientIdOf, fakePeer, roomWith } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { paths } from "../../wiring/paths.ts";
import { Shell } from "./shell.tsx";

afterEach(cleanup);

function withWidth(isPhone: boolean): void {
  vi.spyOn(window, "matchMedia").mockImplementation(
    (query) =>
      ({
        ...new EventTarget(),
        matches: query.includes("<") ? isPhone : query.includes(">=") && !isPhone,
        addEventListener() {},
        removeEventListener() {},
      }) as unknown as MediaQueryList,
  );
}

describe("the frame around a page that crashed", () => {
  test.each([
    ["on a wide screen", false],
    ["on a phone, where a conversation stands without the top bar", true],
  ])("keeps the navigation, %s", async (_place, isPhone) => {
    vi.spyOn(console, "error").mockImplementation(() => {}); // React logs every caught error
    withWidth(isPhone);
    function Conversation(): never {
      throw new Error("cache 7d1f2c90 info not found");
    }
    const fake = fakeWarren();
    fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
    const { user } = renderWithWarren(
      <Shell>
        <Switch>
          <Route path="/client/:id/chat">
            <Conversation />
          </Route>
          <Route path="/file">
            <h1>Every file</h1>
          </Route>
        </Switch>
      </Shell>,
      fake,
      { path: paths.chat.href(clientIdOf(1)) },
    );
    const content = within(screen.getByRole("main"));
    expect(content.getByRole("heading", { name: "Error Occurred" })).toBeTruthy();
    expect(content.getByText("cache 7d1f2c90 info not found")).toBeTruthy();
    const places = within(screen.getByRole("navigation", { name: "Main" }));
    await user.click(places.getByRole("link", { name: "Files" }));
    expect(content.getByRole("heading", { name: "Every file" })).toBeTruthy();
    expect(content.queryByRole("heading", { name: "Error Occurred" })).toBeNull();
  });
});

test.each([
  ["takes the whole of a phone", true],
  ["is beside the navigation on a wide screen", false],
])("a call %s", (_words, isPhone) => {
  withWidth(isPhone);
  renderWithWarren(<Shell>{null}</Shell>, fakeWarren(), { path: paths.call.href });
  expect(screen.queryByRole("navigation", { name: "Main" }) === null).toBe(isPhone);
});

describe("Chat in the rail", () => {
  const mara = paths.chat.href(clientIdOf(1));
  const renderAt = (path: string, fake = fakeWarren()) => {
    withWidth(false);
    return renderWithWarren(<Shell>{null}</Shell>, fake, { path });
  };
  const chat = () => screen.getByRole("link", { name: "Chat" }).getAttribute("href");

  test("opens the last conversation", async () => {
    const { user } = renderAt(mara);
    await user.click(screen.getByRole("link", { name: "Files" }));
    expect(chat()).toBe(mara);
  });

  test("opens the start page without one, and outside a room", () => {
    // The last conversation outlives the shell.
    renderAt("/");
    cleanup();
    renderAt("/file");
    expect(chat()).toBe("/");
    cleanup();
    const fake = fakeWarren();
    fake.setRoom({ status: "disconnected", error: null });
    renderAt(mara, fake);
    expect(chat()).toBe("/");
  });
});
