import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { LanguageMenu } from "./language-menu.tsx";

afterEach(cleanup);

test("each language is named in itself and tagged, so that it is read out in its own voice", async () => {
  const { user } = renderWithWarren(
    <LanguageMenu trigger={(name) => <button type="button">{name}</button>} />,
    fakeWarren(),
  );
  await user.click(screen.getByRole("button", { name: "English" }));
  const named = screen.getAllByRole("menuitemradio").map((item) => {
    const name = item.querySelector("[lang]");
    return [name?.textContent, name?.getAttribute("lang")];
  });
  expect(named).toEqual([
    ["English", "en-US"],
    ["简体中文", "zh-CN"],
    ["繁體中文", "zh-TW"],
  ]);
});
