import { ownServerTest as test } from "../support/fixtures.ts";
import { openImport, openSection, settingsSections, unfold } from "../support/settings.ts";
import { shoot } from "../support/shots.ts";

test("the settings", async ({ newPerson }) => {
  test.setTimeout(300_000);
  const { page } = await newPerson({ name: "Mara" });
  await page.goto("/setting");
  await page
    .getByRole("heading", { level: 1, name: "Settings" })
    .or(page.getByRole("main"))
    .first()
    .waitFor();
  await shoot(page, "settings", { at: ["phone", "narrow"] });
  for (const [section, title] of settingsSections) {
    await openSection(page, section, title);
    await shoot(page, `settings-${section}`);
  }
  await page.context().grantPermissions(["camera", "microphone"]);
  await openSection(page, "media", "Media");
  await page.getByRole("button", { name: "Try camera and microphone" }).click();
  await page.getByText("The microphone hears you.").waitFor();
  await shoot(page, "media-dialog");
  await page.keyboard.press("Escape");
  await openSection(page, "connection", "Connection");
  await unfold(page, "Servers");
  await page.getByRole("button", { name: "Add a TURN server" }).click();
  await page.getByRole("button", { name: "Save server" }).click();
  await page.getByRole("switch", { name: "Hide your network address" }).click();
  await shoot(page, "settings-turn-form");
  await page.goto("/doctor");
  await page.getByRole("button", { name: "Copy report" }).waitFor({ timeout: 16_000 });
  await shoot(page, "doctor");
  await page.goto("/setting");
  await openSection(page, "advanced", "Advanced");
  await page.getByRole("button", { name: "Export settings" }).click();
  await page.getByRole("dialog").waitFor();
  await shoot(page, "export-settings");
  await page.keyboard.press("Escape");
  await openImport(page);
  await shoot(page, "import-settings");
  await page.keyboard.press("Escape");
  for (const name of ["Reset options", "Clear cache", "Delete everything"]) {
    // What is unfolded is folded again by a change between phone and wide.
    if (name === "Clear cache") await unfold(page, "Troubleshooting");
    await page.getByRole("button", { name, exact: true }).click();
    await page.getByRole("dialog").waitFor();
    await shoot(page, name.toLowerCase().replaceAll(" ", "-"));
    await page.keyboard.press("Escape");
  }
});
