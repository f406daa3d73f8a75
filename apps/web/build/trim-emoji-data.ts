import type list from "emojibase-data/en/data.json";
import type { Plugin } from "vite";

/** Leaves out of the lists of emoji what src/chat/message/emoji-data.ts does not read: more than half of them. */
export function trimEmojiData(): Plugin {
  return {
    name: "trim-emoji-data",
    apply: "build",
    enforce: "pre",
    transform: {
      filter: { id: /[\\/]emojibase-data[\\/][a-z-]+[\\/]data\.json$/ },
      handler(code) {
        const all = JSON.parse(code) as typeof list;
        const trimmed = all.map(({ emoji, group, label, tags, version, skins = [] }) => {
          const ofOneTone = skins.filter(({ tone }) => typeof tone === "number");
          const tones = ofOneTone.map(({ emoji, tone }) => ({ emoji, tone }));
          return { emoji, group, label, tags, version, ...(tones.length > 0 && { skins: tones }) };
        });
        return { code: JSON.stringify(trimmed), map: null };
      },
    },
  };
}
