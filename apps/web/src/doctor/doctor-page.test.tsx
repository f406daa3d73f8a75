import { act, cleanup, screen } from "@testing-library/react";
import { type DoctorVerdict, doctorCauses, type Warren } from "@warren/core";
import { afterEach, expect, test, vi } from "vitest";
import { enUs } from "../i18n/en-us.ts";
import { zhCn } from "../i18n/zh-cn.ts";
import { zhTw } from "../i18n/zh-tw.ts";
import { fakeWarren } from "../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../testing/render-with-warren.tsx";
import DoctorPage from "./doctor-page.tsx";

type Report = Parameters<Warren["diagnose"]>[1];

afterEach(cleanup);

const found: readonly DoctorVerdict[] = [
  { step: "page", outcome: "good", cause: "page-secure", values: {} },
  { step: "stun", outcome: "bad", cause: "stun-silent", values: { server: "stun:203.0.113.5:3478" } },
  { step: "stun", outcome: "good", cause: "stun-answers", values: { server: "stun:a.example", time: 12 } },
  { step: "storage", outcome: "limited", cause: "storage-small", values: { free: 512 * 1_000_000 } },
];

/** The page, whose diagnosis the test reports and ends. */
async function open() {
  const fake = fakeWarren();
  const platform = fakePlatform();
  const runs: { report: Report; end: () => void; fail: (error: Error) => void }[] = [];
  vi.spyOn(fake.warren, "diagnose").mockImplementation(
    (_platform, report) =>
      new Promise((resolve, reject) => runs.push({ report, end: () => resolve([]), fail: reject })),
  );
  let user: ReturnType<typeof renderWithWarren>["user"] | undefined;
  await act(async () => {
    ({ user } = renderWithWarren(<DoctorPage />, fake, { platform }));
  });
  if (!user) throw new Error("not rendered");
  const run = (index: number) => runs[index] ?? expect.fail(`there was no run ${index}`);
  return { user, platform, runs, run };
}

const checking = () => screen.queryAllByText("Checking").length;
const button = (name: string) => screen.getByRole("button", { name });

test("starts when opened, and shows each step as it is found, with what to do", async () => {
  const { run } = await open();
  // One for each step, and the status.
  expect(checking()).toBe(11);
  expect(screen.queryByRole("button", { name: "Copy report" })).toBeNull();
  act(() => run(0).report(found));
  expect(checking()).toBe(8);
  expect(screen.getByText("stun:203.0.113.5:3478 does not answer.")).toBeTruthy();
  expect(screen.getByText(/If none answers, add a relay/)).toBeTruthy();
  expect(screen.getByText("stun:a.example answered in 12 ms.")).toBeTruthy();
  expect(screen.getByText("Only 512 MB are free for received files.")).toBeTruthy();
  const outcomes = screen.getAllByRole("img").map((mark) => mark.getAttribute("aria-label"));
  expect(outcomes).toEqual(["Good", "Problem", "Good", "Limited"]);
  await act(async () => run(0).end());
  expect(checking()).toBe(0);
  expect(screen.getByText("2 things to look at.").getAttribute("role")).toBe("status");
});

test("copies the report without addresses", async () => {
  const { user, platform, run } = await open();
  act(() => run(0).report(found));
  await act(async () => run(0).end());
  await user.click(button("Copy report"));
  expect(platform.written[0]).toContain("- stun: stun:203.*.*.*:3478 does not answer.\n    If none answers");
  expect(platform.written[0]).toContain("+ page: The page is secure.");
  expect(platform.written[0]).not.toContain("203.0.113.5");
});

test("checks again on demand, and drops what an earlier check still finds", async () => {
  const { user, runs, run } = await open();
  await act(async () => run(0).end());
  await user.click(button("Check again"));
  expect(runs).toHaveLength(2);
  act(() => run(0).report(found));
  expect(screen.queryByText("stun:203.0.113.5:3478 does not answer.")).toBeNull();
  act(() => run(1).report(found.slice(0, 1)));
  await act(async () => run(1).end());
  expect(screen.getByText("Nothing stands in the way.")).toBeTruthy();
});

test("says so if its code cannot be fetched, and can be tried again", async () => {
  const { run } = await open();
  await act(async () => run(0).fail(new TypeError("Failed to fetch dynamically imported module")));
  expect(checking()).toBe(0);
  expect(button("Check again")).toBeTruthy();
});

test.each([
  ["en-US", enUs],
  ["zh-CN", zhCn],
  ["zh-TW", zhTw],
] as const)(
  "every cause has its words in %s, and a next step where something can be done",
  (_name, words) => {
    for (const [cause, outcome] of doctorCauses) {
      expect(words.doctor.cause[cause]).toBeTruthy();
      expect(cause in words.doctor.next, cause).toBe(outcome !== "good");
    }
  },
);
