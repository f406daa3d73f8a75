import type { FileChooser, Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { drawPng, pixelAt, readPngUrl } from "../support/pictures.ts";
import { expectWaiting, joinForm, passwordField } from "../support/room.ts";

async function openForm(page: Page) {
  await page.goto("/");
  await page.getByRole("button", { name: "Join by name and password" }).click();
  const form = joinForm(page);
  return {
    form,
    room: form.getByRole("textbox", { name: "Room name" }),
    join: form.getByRole("button", { name: "Join room" }),
  };
}

async function openProfile(page: Page) {
  await page.goto("/");
  await page.getByRole("button", { name: "Your picture" }).click();
  const form = page.getByRole("dialog", { name: "Name and picture" });
  return {
    form,
    name: form.getByRole("textbox", { name: "Your name" }),
    choosePicture: async (file: Parameters<FileChooser["setFiles"]>[0]) => {
      const choosing = page.waitForEvent("filechooser");
      await form.getByRole("button", { name: "Choose picture" }).click();
      await (await choosing).setFiles(file);
    },
    save: form.getByRole("button", { name: "Save" }),
  };
}

test("the join form asks for the room, and the profile for the name, with a read-only device ID", async ({
  newPerson,
}) => {
  const { page } = await newPerson({ name: "Ada" });
  const own = await openProfile(page);
  await expect(own.name).toBeFocused();
  await expect(own.name).toHaveValue(/\S/);
  await own.form.getByRole("button", { name: "Technical details" }).click();
  const clientId = own.form.getByText(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  await expect(clientId).toBeVisible();
  // Shown as text, not in a form field.
  const id = await clientId.innerText();
  for (const field of await own.form.getByRole("textbox").all()) await expect(field).not.toHaveValue(id);
  await own.name.fill("");
  await own.save.click();
  await expect(own.name).toHaveAccessibleDescription("Enter a name, so others know who you are.");
  await own.name.fill("Ada");
  await own.save.click();
  await expect(own.form).toBeHidden();

  const { form, room, join } = await openForm(page);
  await expect(room).toHaveValue(/\S/);
  await room.fill("   ");
  await join.click();
  await expect(form).toBeVisible();
  await expect(room).toHaveAccessibleDescription("Enter the name of the room.");
  await room.fill("quay");
  await join.click();
  await expect(form).toBeHidden();
  await expectWaiting(page);
  await expect(page.getByRole("heading", { name: "quay" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Your profile, Ada" })).toBeVisible();
  await expect(
    page.getByText("Anyone with this link can join and see what is sent here.", { exact: true }),
  ).toBeVisible();
});

test("a picture is cropped to its central square, as a PNG of 128 by 128", async ({ newPerson }) => {
  const expectedErrors = /^asked another host: https:\/\/pictures\.example\.org\/me\.png$/;
  const { page } = await newPerson({ name: "Ada", expectedErrors });
  const { form, name, choosePicture, save } = await openProfile(page);
  // A square of four colours between two bars that must be cropped.
  const png = drawPng(600, 200, (x, y) => {
    if (x < 200 || x >= 400) return [255, 0, 0];
    return [0, x < 300 ? 0 : 255, y < 100 ? 0 : 255];
  });

  await choosePicture({ name: "me.png", mimeType: "image/png", buffer: png });
  const shown = form.locator("img");
  await expect(shown).toHaveAttribute("src", /^data:image\/png;base64,/);
  const cropped = readPngUrl(await shown.getAttribute("src"));
  expect([cropped.width, cropped.height]).toEqual([128, 128]);
  expect(pixelAt(cropped, 3, 3)).toEqual([0, 0, 0]);
  expect(pixelAt(cropped, 124, 3)).toEqual([0, 255, 0]);
  expect(pixelAt(cropped, 3, 124)).toEqual([0, 0, 255]);
  expect(pixelAt(cropped, 124, 124)).toEqual([0, 255, 255]);

  await choosePicture({ name: "me.txt", mimeType: "text/plain", buffer: Buffer.from("a face") });
  await expect(form.getByRole("alert")).toHaveText("Please upload a valid image file");
  // The previous picture is kept.
  await expect(shown).toHaveAttribute("src", /^data:image\/png;base64,/);

  // A picture from a CORS-enabled address is stored as data, so its host is contacted only once.
  const before = await shown.getAttribute("src");
  const green = drawPng(64, 64, () => [0, 255, 0]);
  await page.route("https://pictures.example.org/me.png", (route) =>
    route.fulfill({ body: green, contentType: "image/png", headers: { "access-control-allow-origin": "*" } }),
  );
  await form.getByRole("button", { name: "Picture URL" }).click();
  await form.getByRole("textbox", { name: "Picture URL" }).fill("https://pictures.example.org/me.png");
  await page.keyboard.press("Enter");
  await expect(shown).not.toHaveAttribute("src", before ?? "");
  expect(pixelAt(readPngUrl(await shown.getAttribute("src")), 60, 60)).toEqual([0, 255, 0]);

  await name.fill("Ada");
  await save.click();
  await page.getByRole("button", { name: "New room" }).click();
  await expectWaiting(page);
  await page.getByRole("button", { name: "Your profile, Ada" }).click();
  const own = page.getByRole("dialog", { name: "Your profile" }).locator("img");
  await expect(own).toHaveAttribute("src", /^data:image\/png;base64,/);
});

test("the password generator creates 12 characters with every class", async ({ newPerson }) => {
  const { page } = await newPerson({ name: "Ada" });
  const { form, room, join } = await openForm(page);
  const password = passwordField(form);
  await expect(password).toHaveValue("");
  await expect(password).toHaveAttribute("type", "password");
  await form.getByRole("button", { name: "Show text" }).click();
  await expect(password).toHaveAttribute("type", "text");

  const generated = new Set<string>();
  for (let i = 0; i < 20; i++) {
    await form.getByRole("button", { name: "Generate a password" }).click();
    const value = await password.inputValue();
    generated.add(value);
    expect(value).toHaveLength(12);
    expect(value).toMatch(/[A-Z]/);
    expect(value).toMatch(/[a-z]/);
    expect(value).toMatch(/[0-9]/);
    expect(value).toMatch(/[^A-Za-z0-9]/);
  }
  expect(generated.size).toBe(20);

  await room.fill("quay");
  await join.click();
  await expectWaiting(page);
  await expect(page.getByText("The password comes after the #, where no server sees it.")).toBeVisible();
});
