import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useLocation } from "wouter";
import { PickedFiles } from "../platform/files/picked-files.ts";
import { clientIdOf, fakeContact, fakePeer, roomWith } from "../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../testing/render-with-warren.tsx";
import { isHome } from "../wiring/paths.ts";
import { browserPlatform } from "./browser-platform.ts";
import { useOpenOnArrival } from "./use-open-on-arrival.ts";
import { useRedirect } from "./use-redirect.ts";

function Redirecting() {
  useRedirect();
  const [path, navigate] = useLocation();
  return (
    <>
      <input aria-label="Message" />
      <h1>{path}</h1>
      <button type="button" onClick={() => navigate("/file")}>
        Files
      </button>
    </>
  );
}

const [mara, jun] = [clientIdOf(1), clientIdOf(2)];
let fake: FakeWarren;
let user: ReturnType<typeof renderWithWarren>["user"];

beforeEach(() => {
  fake = fakeWarren();
  fake.setChat({
    contacts: { [mara]: fakeContact(1, "Mara", { redirect: true }), [jun]: fakeContact(2, "Jun") },
  });
  user = renderWithWarren(<Redirecting />, fake, { path: "/file" }).user;
});

afterEach(cleanup);

const shownPath = () => screen.getByRole("heading").textContent;

const see = (...peers: Parameters<typeof roomWith>[0]): void => act(() => fake.setRoom(roomWith(peers)));

it("opens the conversation with the chosen peer once it is reachable", () => {
  see(fakePeer(2, "Jun"), fakePeer(1, "Mara", { ready: false, session: "connecting" }));
  expect(shownPath()).toBe("/file");
  see(fakePeer(2, "Jun"), fakePeer(1, "Mara"));
  expect(shownPath()).toBe(`/client/${mara}/chat`);
});

it("does so again when the peer rejoins, but not after a reconnect", async () => {
  see(fakePeer(1, "Mara"));
  await user.click(screen.getByRole("button", { name: "Files" }));
  see(fakePeer(1, "Mara", { ready: false, session: "reconnecting" }));
  see(fakePeer(1, "Mara"));
  expect(shownPath()).toBe("/file");
  see();
  see(fakePeer(1, "Mara"));
  expect(shownPath()).toBe(`/client/${mara}/chat`);
});

it.each(["before", "after"])(
  "opens that conversation and no other, where the redirect is mounted %s arrival",
  (when) => {
    cleanup();
    function Redirect() {
      useRedirect();
      return null;
    }
    function Arrival() {
      const [path] = useLocation();
      useOpenOnArrival(isHome(path) ? null : undefined, false);
      return <h1>{path}</h1>;
    }
    const parts = [<Redirect key="redirect" />, <Arrival key="arrival" />];
    renderWithWarren(when === "before" ? parts : parts.reverse(), fake, { path: "/" });
    see(fakePeer(1, "Mara"), fakePeer(2, "Jun"));
    expect(shownPath()).toBe(`/client/${mara}/chat`);
  },
);

it("does not interrupt writing", async () => {
  await user.keyboard("{Tab}Dear Jun");
  see(fakePeer(1, "Mara"));
  expect(shownPath()).toBe("/file");
});

it.each(["pickFiles", "pickFolder"] as const)(
  "does not interrupt a file picker of the browser: %s",
  async (pick) => {
    const page = {
      ...fakePlatform(),
      pickedFiles: new PickedFiles(),
      warren: fakeWarren().warren,
      durable: true,
    };
    const asked = browserPlatform(page, fake.tab.busy)[pick]({
      multiple: true,
    });
    const input = await vi.waitFor(() => document.querySelector("input[type=file]") ?? expect.fail());
    see(fakePeer(1, "Mara"));
    expect(shownPath()).toBe("/file");
    input.dispatchEvent(new Event("cancel"));
    await asked;
    see();
    see(fakePeer(1, "Mara"));
    expect(shownPath()).toBe(`/client/${mara}/chat`);
  },
);

it("does not interrupt an open picker or dialog, or a message started elsewhere on the page", () => {
  const end = fake.tab.busy.begin();
  see(fakePeer(1, "Mara"));
  end();
  expect(shownPath()).toBe("/file");
});
