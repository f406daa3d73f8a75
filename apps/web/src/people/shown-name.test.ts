import type { Contact } from "@warren/core";
import { describe, expect, test, vi } from "vitest";
import { enUs } from "../i18n/en-us.ts";
import { zhCn } from "../i18n/zh-cn.ts";
import { zhTw } from "../i18n/zh-tw.ts";
import { clientIdOf } from "../testing/fake-records.ts";
import { firstNameOf, shownName, skeletonOf } from "./shown-name.ts";

const noor = clientIdOf(2);
const ownName = "Ida";

function contactOf(number: number, name: string, trustLevel: Contact["trustLevel"] = "unverified"): Contact {
  return {
    clientId: clientIdOf(number),
    name,
    avatar: null,
    proven: true,
    trustLevel,
    autoAccept: false,
    clipboardAllowed: false,
    accepted: true,
    muted: false,
    redirect: false,
    createdAt: number,
  };
}

const among = (...contacts: readonly Contact[]) =>
  Object.fromEntries(contacts.map((contact) => [contact.clientId, contact]));
const marked = (name: string): string => `${name}\u00A0·\u00A0${noor.slice(0, 4)}`;

describe("an id is appended to a name that could be mistaken for another", () => {
  test.each([
    ["a word of the app", "Everyone"],
    ["the app", " wArReN."],
    ["a word of the app, in Cyrillic and Greek letters", "Еvеryοnе"],
    ["a word of the app, in full width", "Ｅｖｅｒｙｏｎｅ"],
    ["a word of the app, with an invisible letter in it", "Every\u2060\u200Done"],
    ["a word of the app, with an accent", "Wárren"],
    ["a word of the app in Chinese", "所有人"],
    ["a word for everybody", "All of us"],
    ["a word of the app among others", "Message to everyone here"],
    ["a word of the app in Chinese among others", "发给所有人"],
    ["the app among others", "Warren Support"],
    ["a short word of the app among others", "(you) Noor"],
    ["what the app says of a verified person", "Vera (verified)"],
    ["what the app says of a verified person, taken apart", "Vera V.e.r.i.f.i.e.d"],
    ["what the app says of a verified person, with a digit for a letter", "Vera V3rified"],
    ["what the app says of a verified person, in Chinese", "王小明（已核对）"],
    ["the mark of a verified person", "Noor ✅"],
    ["the mark of a verified person, as text", "Noor ✔\uFE0E"],
    ["a shield", "Noor 🛡️"],
    ["a name with an id", "Mara\u00A0·\u00A0d93d"],
    ["a name with an id, with other dots and spaces", "Mara •0F3e "],
  ])("%s", (_, name) => {
    expect(shownName(noor, among(contactOf(2, name)), ownName)).toBe(marked(name));
  });

  test.each(["Mara Lindqvist", "Маrа Lindqvist", "MARA LlNDQVIST", "Mаra  Lindqvíst"])(
    "between known contacts: %s",
    (name) => {
      const contacts = among(contactOf(1, "Mara Lindqvist"), contactOf(2, name));
      expect(shownName(noor, contacts, ownName)).toBe(marked(name));
      expect(shownName(clientIdOf(1), contacts, ownName)).toBe("Mara Lindqvist");
    },
  );
});

test.each(["Ida", "Idа", "ida ", "lda"])(
  "an id is appended to a name that could be mistaken for our own: %s",
  (name) => {
    expect(shownName(noor, among(contactOf(2, name)), ownName)).toBe(marked(name));
    expect(shownName(noor, among(contactOf(2, name, "verified")), ownName)).toBe(name);
  },
);

test("a current name takes precedence over a stored one", () => {
  const contacts = among(contactOf(1, "Mara"), contactOf(2, "Noor"));
  expect(shownName(noor, contacts, ownName, "Mara")).toBe(marked("Mara"));
  expect(shownName(noor, contacts, ownName)).toBe("Noor");
});

test("a verified contact keeps a name without an id, whoever was met first", () => {
  const contacts = among(contactOf(1, "Noor"), contactOf(2, "Noor", "verified"));
  expect(shownName(noor, contacts, ownName)).toBe("Noor");
  expect(shownName(clientIdOf(1), contacts, ownName)).not.toBe("Noor");
});

/** What the app says in the place of a name or beside one, in each of its languages. */
const saidOfPeople = [enUs, zhCn, zhTw].flatMap(({ common, people }) => [
  common.you,
  people.everyone,
  people.someone,
  people.verified,
  people.invited,
  people.blockedByHand,
]);

test.each(saidOfPeople)("an id is appended to each word for people in the app's languages: %s", (word) => {
  expect(shownName(noor, among(contactOf(2, word)), ownName)).toBe(marked(word));
});

test("other names are unchanged", () => {
  const contacts = among(
    contactOf(1, "Mara"),
    contactOf(2, "Нина"),
    contactOf(3, "王小明"),
    contactOf(4, "Zoë 🎸"),
    contactOf(5, "Young Youssef"),
    contactOf(6, "爱你的猫"),
  );
  for (const { clientId, name } of Object.values(contacts))
    expect(shownName(clientId, contacts, ownName)).toBe(name);
  expect(shownName(clientIdOf(9), contacts, ownName)).toBeUndefined();
});

test("a first name keeps the id", () => {
  expect(firstNameOf(marked("Mara Lindqvist"))).toBe(marked("Mara"));
  expect(firstNameOf("Mara Lindqvist")).toBe("Mara");
});

test("similar-looking letters have the same skeleton", () => {
  expect(skeletonOf("Ian modern")).toBe(skeletonOf("lаn rnodern"));
  expect(skeletonOf("Ian")).not.toBe(skeletonOf("Jan"));
});

test("a name is taken apart once, however often it is shown", () => {
  const contacts = among(contactOf(2, "Once Only"), contactOf(3, "Another"));
  shownName(noor, contacts, ownName);
  const normalize = vi.spyOn(String.prototype, "normalize");
  expect(shownName(noor, { ...contacts }, ownName)).toBe("Once Only");
  expect(normalize).not.toHaveBeenCalled();
});
