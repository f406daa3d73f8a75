import { expectNoViolations, inBothThemes } from "../support/accessibility.ts";
import { deliverText } from "../support/conversation.ts";
import { expect, type Person, test } from "../support/fixtures.ts";
import { expectOnline, expectWaiting } from "../support/room.ts";

/** The words of the code that is shown. */
async function shownWords({ page }: Person): Promise<readonly string[]> {
  const status = page.getByRole("dialog").getByRole("status");
  await expect(status).toHaveText(/^\w+\s+\w+\s+\w+$/);
  return ((await status.textContent()) ?? "").split(/\s+/);
}

test("a code shown on one device is typed on the other: wrong words end it, the right ones open the room", async ({
  newPerson,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await ada.page.goto("/");
  await ada.page.getByRole("textbox", { name: "Your name" }).fill("Ada");
  await ada.page.getByRole("button", { name: "New room" }).click();
  await expectWaiting(ada.page);
  await ada.page.getByRole("button", { name: "Show a code to type" }).click();
  const dialog = ada.page.getByRole("dialog", { name: "Type this code on the other device" });
  const [mailbox = "", second = "", third = ""] = await shownWords(ada);
  await inBothThemes(ada.page, (theme) => expectNoViolations(ada.page, `code, ${theme}`));

  await bo.page.goto("/");
  await bo.page.getByRole("textbox", { name: "Your name" }).fill("Bo");
  const field = bo.page.getByRole("combobox", { name: "Have a link or code?" });
  await field.fill(`${mailbox} ${third} ${second}`);
  await field.press("Enter");
  await expect(bo.page.getByText("Wrong code. It no longer works")).toBeVisible();
  await expect(field).toBeFocused();
  await expectNoViolations(bo.page, "wrong code");
  await expect(dialog.getByText("Another device tried the code and failed")).toBeVisible();

  await dialog.getByRole("button", { name: "New code" }).click();
  const words = await shownWords(ada);
  expect(words).not.toEqual([mailbox, second, third]);
  await field.fill("");
  const typed = words.join("-").toUpperCase();
  await field.pressSequentially(typed.slice(0, -1));
  const completions = bo.page.locator("datalist option");
  const values = () =>
    completions.evaluateAll((options) => options.map((option) => option.getAttribute("value")));
  await expect
    .poll(async () => (await values()).map((value) => value?.toLowerCase()))
    .toContain(words.join("-"));
  await field.press(typed.slice(-1));
  await field.press("Enter");
  await expect(dialog.getByText("The code was used")).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expectOnline(ada.page, "Bo");
  await expectOnline(bo.page, "Ada");
  await deliverText(bo.page, ada.page, "Typed across the room");
});

test("the code field exposes its purpose and matching words to screen readers, and works by keyboard", async ({
  newPerson,
}) => {
  const { page } = await newPerson({ name: "Cy" });
  await page.goto("/");
  const form = page.locator("form", { has: page.getByRole("combobox") });
  const field = form.getByRole("combobox");
  await expect(form).toMatchAriaSnapshot(`
    - text: Have a link or code?
    - combobox "Have a link or code?"
    - button "Join"
  `);
  for (let presses = 0; presses < 30; presses++) {
    if (await field.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press("Tab");
  }
  await expect(field).toBeFocused();
  const status = form.getByRole("status");
  await page.keyboard.type("falcon mirror wal");
  await expect(status).toHaveText("3 words fit: wallet, walrus, waltz.");
  await page.keyboard.type("r");
  await expect(status).toHaveText("One word fits: walrus.");
  // The browser renders its list natively, where tests cannot reach it. It is optional: four letters of a
  // word are enough.
  await page.keyboard.press("Enter");
  await expect(field).toHaveAccessibleDescription(/^No device is showing this code/);
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(form.getByRole("alert")).toHaveText(/^No device is showing this code/);
  await expect(field).toBeFocused();
});
