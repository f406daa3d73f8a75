import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { clientIdOf, fakeContact, fakeText } from "../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../testing/fake-warren.ts";
import { type FakePlatform, fakePlatform, renderWithWarren } from "../testing/render-with-warren.tsx";
import { toast } from "../wiring/toast.ts";
import { Notifications } from "./notifications.ts";

const mara = clientIdOf(1);
const room = "MB1qgcGV3Lbp9ktavAsw7ba6T6dxx437SQkSZPqpU_k";
let fake: FakeWarren;
let platform: FakePlatform;
let sight: "hidden" | "visible";

beforeEach(() => {
  fake = fakeWarren();
  platform = fakePlatform();
  sight = "visible";
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => sight);
  fake.setChat({ contacts: { [mara]: fakeContact(1, "Mara Lindqvist") } });
});

afterEach(() => {
  toast.dismiss();
  cleanup();
});

function turn(next: "hidden" | "visible"): void {
  act(() => {
    sight = next;
    document.dispatchEvent(new Event("visibilitychange"));
  });
}

async function missSomething(at: number): Promise<void> {
  turn("hidden");
  act(() => fake.addMessage(fakeText(mara, mara, "Hello", at)));
  await new Promise((resolve) => setTimeout(resolve, 700));
  turn("visible");
}

it("suggests notifications once, after something was missed, and asks only on the press", async () => {
  const { user } = renderWithWarren(<Notifications />, fake, { platform });
  await missSomething(1);
  await screen.findByText("You missed something from Mara");
  expect(platform.notifier.asked).toBe(0);
  await user.click(screen.getByRole("button", { name: "Turn on" }));
  expect(platform.notifier.asked).toBe(1);
  expect(fake.warren.settings.get().notifications).toBe(true);
});

it("suggests nothing a second time, and nothing where it was decided", async () => {
  const { unmount } = renderWithWarren(<Notifications />, fake, { platform });
  platform.notifier.setAccess("denied");
  await missSomething(1);
  expect(screen.queryByText(/You missed/)).toBeNull();
  platform.notifier.setAccess("default");
  await missSomething(2);
  await screen.findByText(/You missed/);
  act(() => void toast.dismiss());
  await vi.waitFor(() => expect(screen.queryByText(/You missed/)).toBeNull());
  await missSomething(3);
  expect(screen.queryByText(/You missed/)).toBeNull();
  unmount();
});

it("counts on the app's icon what is unread and not muted", async () => {
  const badge = { setAppBadge: vi.fn(async () => {}), clearAppBadge: vi.fn(async () => {}) };
  Object.assign(navigator, badge);
  renderWithWarren(<Notifications />, fake, { platform });
  expect(badge.clearAppBadge).toHaveBeenCalledOnce();
  act(() => {
    fake.addMessage(fakeText(mara, mara, "one", 1));
    fake.addMessage(fakeText(mara, "everyone", "two", 2));
  });
  expect(badge.setAppBadge).toHaveBeenLastCalledWith(2);
  act(() =>
    fake.setRooms([{ id: "harbour", tag: room, password: null, firstVisit: 0, lastVisit: 0, muted: true }]),
  );
  expect(badge.setAppBadge).toHaveBeenLastCalledWith(1);
  act(() => fake.setChat({ contacts: { [mara]: fakeContact(1, "Mara", { muted: true }) } }));
  expect(badge.clearAppBadge).toHaveBeenCalledTimes(2);
});
