import type { TextMessage } from "@warren/core";
import { beforeEach, expect, it } from "vitest";
import type { CommandEvent } from "../terminal/events.ts";
import { HeardTexts } from "./heard-texts.ts";

const [ann, mara] = ["00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-00000000000b"];
let texts: Partial<TextMessage>[];
let told: string[];
beforeEach(() => {
  texts = [];
  told = [];
});

const text = (id: string, data: string, more: Partial<TextMessage> = {}): Partial<TextMessage> => ({
  key: `${mara}/${id}`,
  client: mara,
  type: "text",
  data,
  createdAt: Date.now() + 1_000,
  ...more,
});

function heard(tells: "everything" | "what is new"): HeardTexts {
  const session = {
    nameOf: (id: string) => (id === mara ? "Mara" : "Bo"),
    report: {
      event: (event: CommandEvent) => {
        if (event.event === "reaction") {
          told.push(`${event.from} ${event.emoji.join("")} ${event.to.text}`);
          return;
        }
        if (event.event === "deleted") told.push(`${event.from} deleted ${event.number}`);
        if (event.event !== "text") return;
        const about = event.answers ? ` (${event.answers.from}: ${event.answers.text})` : "";
        told.push(`${event.from}${event.edited ? ", edited" : ""}${about}: ${event.text}`);
      },
    },
    warren: {
      chat: { store: { getState: () => ({ conversations: { everyone: { messages: texts } } }) } },
      profile: { get: () => ({ clientId: ann, name: "Ann" }) },
    },
  };
  return new HeardTexts(session as unknown as ConstructorParameters<typeof HeardTexts>[0], tells);
}

it("tells each text of others once, again when it is edited, and that it was deleted", () => {
  texts = [text("0", "before")];
  const listening = heard("everything");
  texts = [...texts, text("1", "one"), text("2", "mine", { client: ann }), text("3", "", { deleted: true })];
  listening.report();
  listening.report();
  expect(told).toEqual(["Mara: one"]);
  texts[1] = text("1", "One", { edited: 5 });
  listening.report();
  texts[1] = text("1", "", { deleted: true });
  listening.report();
  listening.report();
  expect(told).toEqual(["Mara: one", "Mara, edited: One", "Mara deleted 1"]);
});

it("begins with the last twenty texts, ours as well, that are not deleted", () => {
  texts = Array.from({ length: 30 }, (_, at) => text(String(at), String(at)));
  texts[28] = text("28", "mine", { client: ann });
  texts[29] = text("29", "", { deleted: true });
  heard("everything").recall();
  expect([told.length, told.at(0), told.at(-1)]).toEqual([20, "Mara: 9", "Ann: mine"]);
});

it("tells what is answered, as far as it is here", () => {
  const listening = heard("everything");
  texts = [
    text("1", "When?", { client: ann, key: `${ann}/1` }),
    text("2", "At five", { quote: `${ann}/1` }),
    text("3", "No", { quote: "00000000-0000-4000-8000-00000000000c/9" }),
  ];
  listening.report();
  expect(told).toEqual(["Mara (Ann: When?): At five", "Mara (Bo: null): No"]);
});

it("leaves out what the log brings of earlier times, unless it is a room", () => {
  const old = text("1", "old", { entry: 1, createdAt: 5 });
  const [receiving, talking] = [heard("what is new"), heard("everything")];
  texts = [old, text("2", "new", { entry: 2 })];
  receiving.report();
  expect(told).toEqual(["Mara: new"]);
  talking.report();
  expect(told).toEqual(["Mara: new", "Mara: old", "Mara: new"]);
});

it("tells what others react with, and again when that changes, in a room only", () => {
  const reacted = (emoji: string[], at: number) => [
    text("1", "mine", {
      client: ann,
      key: `${ann}/1`,
      reactions: { [mara]: { emoji, at }, [ann]: { emoji: ["😀"], at: 1 } },
    }),
  ];
  texts = reacted(["👍"], 1);
  const [receiving, talking] = [heard("what is new"), heard("everything")];
  talking.report();
  expect(told).toEqual([]);
  talking.recall();
  expect(told.splice(0)).toEqual(["Ann: mine", "Mara 👍 mine", "Ann 😀 mine"]);
  texts = reacted([], 2);
  receiving.report();
  talking.report();
  talking.report();
  expect(told).toEqual(["Mara  mine"]);
});
