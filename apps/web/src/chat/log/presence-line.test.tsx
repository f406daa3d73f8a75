import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { clientIdOf, fakeContact } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { PresenceLine } from "./presence-line.tsx";

afterEach(cleanup);

const names = ["Mara Lindqvist", "Jon Berg", "Kim", "Eva", "Noor"];
const ids = names.map((_, index) => clientIdOf(index + 1));

it.each([
  [1, 0, "Mara joined"],
  [2, 0, "Mara and Jon joined"],
  [3, 0, "Mara, Jon and Kim joined"],
  [4, 0, "Mara, Jon and 2 others joined"],
  [1, 1, "Mara joined · Noor left"],
  [0, 1, "Noor left"],
])("names %i who came and %i who went", (joined, left, line) => {
  const fake = fakeWarren();
  fake.setChat({
    contacts: Object.fromEntries(ids.map((id, index) => [id, fakeContact(index + 1, names[index] ?? "")])),
  });
  renderWithWarren(<PresenceLine joined={ids.slice(0, joined)} left={ids.slice(ids.length - left)} />, fake);
  expect(screen.getByText(line)).toBeTruthy();
});
