import { act, cleanup, screen } from "@testing-library/react";
import { starterId } from "@warren/core";
import { afterEach, expect, it } from "vitest";
import manifest from "../../../../package.json" with { type: "json" };
import { fakeContact } from "../testing/fake-records.ts";
import { fakeWarren } from "../testing/fake-warren.ts";
import { renderWithWarren } from "../testing/render-with-warren.tsx";
import { AboutDialog } from "./about-dialog.tsx";

afterEach(cleanup);

it("shows version, time and commit of the build, its licence and the disclaimer, with links to the source and components", () => {
  const dialog = { open: true, returnFocus: () => {}, cancel: () => {}, submit: () => {} };
  renderWithWarren(<AboutDialog dialog={dialog} />, fakeWarren());
  const fact = (name: string) => screen.getByText(name, { selector: "dt" }).nextElementSibling?.textContent;
  expect(fact("Version")).toBe(manifest.version);
  expect(fact("Built")).toContain(String(new Date(__BUILD_TIME__).getFullYear()));
  expect(fact("Commit")).toBe(__COMMIT__);
  expect(screen.getByText(/MIT/)).not.toBeNull();
  expect(screen.getByText(/only in (?:your|this) browser/)).not.toBeNull();
  const hrefs = screen.getAllByRole("link").map((link) => link.getAttribute("href"));
  expect(hrefs[0]).toMatch(/^https:\/\/[\w.-]+\/./);
  expect(hrefs[1]).toBe("/licenses.txt");
});

it("leaves how Warren works to the dialog of that name", () => {
  const dialog = { open: true, returnFocus: () => {}, cancel: () => {}, submit: () => {} };
  renderWithWarren(<AboutDialog dialog={dialog} />, fakeWarren());
  expect(screen.queryByText(/^A small server introduces browsers/)).toBeNull();
  expect(screen.queryByText("What is not protected")).toBeNull();
  cleanup();
  const fake = fakeWarren();
  renderWithWarren(<AboutDialog dialog={dialog} topic="how-it-works" />, fake);
  expect(screen.getByText(/^A small server introduces browsers/)).not.toBeNull();
  expect(screen.getByText("What is not protected")).not.toBeNull();
  expect(screen.queryByText("Version")).toBeNull();
  // The welcome leaves the list of people, not this place.
  const welcome = () => screen.queryByRole("link", { name: "Read the welcome messages again" });
  expect(welcome()).toBeNull();
  act(() =>
    fake.setChat({ contacts: { [starterId]: { ...fakeContact(9, "Warren"), clientId: starterId } } }),
  );
  expect(welcome()?.getAttribute("href")).toBe(`/client/${starterId}/chat`);
});
