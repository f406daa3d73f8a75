import { cleanup } from "@testing-library/react";
import type { ReactElement } from "react";
import { afterEach, expect, it } from "vitest";
import { type FakeWarren, fakeWarren } from "../testing/fake-warren.ts";
import { renderWithWarren } from "../testing/render-with-warren.tsx";
import { OwnAvatar, PersonAvatar } from "./person-avatar.tsx";

afterEach(cleanup);

/** Renders only an avatar; returns its picture's address, or undefined for initials. */
function pictureOf(avatar: ReactElement, fake: FakeWarren): string | null | undefined {
  cleanup();
  renderWithWarren(avatar, fake);
  return document.querySelector("img")?.getAttribute("src");
}

it("renders my initials locally unless I enabled the avatar service", () => {
  const fake = fakeWarren();
  expect(pictureOf(<OwnAvatar name="Mara Lindqvist" size={40} />, fake)).toBeUndefined();
  fake.warren.settings.set("avatarService", true);
  expect(pictureOf(<OwnAvatar name="Mara Lindqvist" size={40} />, fake)).toBe(
    "https://api.dicebear.com/9.x/initials/svg?seed=Mara%20Lindqvist",
  );
});

it("requests nothing from a host for the initials or the picture of a peer", () => {
  const fake = fakeWarren();
  fake.warren.settings.set("avatarService", true);
  for (const avatar of [null, "https://pictures.example.org/me.png", "data:image/svg+xml;base64,AAAA"]) {
    expect(pictureOf(<PersonAvatar id="jun" name="Jun" avatar={avatar} size={40} />, fake)).toBeUndefined();
  }
});
