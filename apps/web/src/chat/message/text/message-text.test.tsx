import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { fakeWarren } from "../../../testing/fake-warren.ts";
import { renderWithWarren } from "../../../testing/render-with-warren.tsx";
import { MessageText } from "./message-text.tsx";

afterEach(cleanup);

const show = (text: string) => renderWithWarren(<MessageText text={text} />, fakeWarren());
const shown = () => document.querySelector("p")?.textContent ?? "";

test("folds a long text before a link, which has its whole address once all is shown", async () => {
  const address = "https://example.org/a/long/path?with=values";
  const { user } = show(`${"x".repeat(1_580)} ${address} ${"y".repeat(300)}`);
  expect(screen.queryByRole("link")).toBeNull();
  expect(shown()).toBe(`${"x".repeat(1_580)} …`);
  await user.click(screen.getByRole("button", { name: "Show all" }));
  expect(screen.getByRole("link").getAttribute("href")).toBe(address);
  await user.click(screen.getByRole("button", { name: "Show less" }));
  expect(screen.queryByRole("link")).toBeNull();
});

test("folds a long text before an emoji of several parts", () => {
  show(`${"x".repeat(1_595)}👩‍👩‍👧${"y".repeat(300)}`);
  expect(shown()).toBe(`${"x".repeat(1_595)}…`);
});

test("shows a text whole that fits", () => {
  show("see https://example.org/a");
  expect(screen.queryByRole("button")).toBeNull();
  expect(screen.getByRole("link")).toBeTruthy();
});
