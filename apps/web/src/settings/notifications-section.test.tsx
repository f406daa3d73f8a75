import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { fakeWarren } from "../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../testing/render-with-warren.tsx";
import { NotificationsSection } from "./notifications-section.tsx";

afterEach(cleanup);

function open() {
  const fake = fakeWarren();
  const platform = fakePlatform();
  const { user } = renderWithWarren(<NotificationsSection />, fake, { platform });
  return { fake, user, notifier: platform.notifier };
}

const theSwitch = () => screen.getByRole("switch", { name: "Notifications" });

it("asks the browser only when it is switched on", async () => {
  const { fake, user, notifier } = open();
  expect(notifier.asked).toBe(0);
  await user.click(theSwitch());
  expect([notifier.asked, fake.warren.settings.get().notifications]).toEqual([1, true]);
  expect(theSwitch()).toHaveProperty("checked", true);
  await user.click(theSwitch());
  expect([notifier.asked, fake.warren.settings.get().notifications]).toEqual([1, false]);
});

it("stays off if the person declines, and says why and what to do", async () => {
  const { fake, user, notifier } = open();
  notifier.answer = "denied";
  await user.click(theSwitch());
  expect(fake.warren.settings.get().notifications).toBe(false);
  expect(screen.getByText(/The browser blocks notifications from Warren/)).toBeTruthy();
});

it("shows as off what the browser no longer allows", () => {
  const { fake, notifier } = open();
  act(() => {
    fake.setOptions({ notifications: true });
    notifier.setAccess("granted");
  });
  expect(theSwitch()).toHaveProperty("checked", true);
  act(() => notifier.setAccess("denied"));
  expect(theSwitch()).toHaveProperty("checked", false);
});

it("says so where the browser has none", () => {
  const { notifier } = open();
  act(() => notifier.setAccess("unsupported"));
  expect(screen.getByText("Not available in this browser.")).toBeTruthy();
});

it("has sounds off, and content shown", async () => {
  const { fake, user } = open();
  expect(screen.getByRole("switch", { name: "Sounds" })).toHaveProperty("checked", false);
  await user.click(screen.getByRole("switch", { name: "Sounds" }));
  await user.click(screen.getByRole("switch", { name: "Show content" }));
  expect(fake.warren.settings.get()).toMatchObject({ sounds: true, notificationContent: false });
});
