import {
  type EmojiData,
  EmojiPicker,
  type EmojiPickerListCategoryHeaderProps,
  type EmojiPickerListEmojiProps,
} from "frimousse";
import { type KeyboardEvent, use, useRef, useState } from "react";
import { useLocale, useT } from "../../i18n/use-t.ts";
import { cx } from "../../ui/cx.ts";
import { useBreakpoint, useMediaQuery } from "../../ui/hooks/use-media-query.ts";
import { SearchIcon } from "../../ui/icons.ts";
import { isComposing } from "../../ui/is-composing.ts";
import { type Anchor, Dialog } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { useOption } from "../../wiring/warren-context.ts";
import { type EmojiGroup, emojiGroups, loadEmojis } from "./emoji-data.ts";
import { SkinToneChoice } from "./skin-tone-choice.tsx";

/** An emoji that stands for its group. */
const signs: Readonly<Record<EmojiGroup, string>> = {
  smileys: "😀",
  people: "👋",
  animals: "🐵",
  food: "🍇",
  travel: "🌍",
  activities: "🎃",
  objects: "👓",
  symbols: "🏧",
  flags: "🏁",
};
const groups = Object.keys(signs).filter((name): name is EmojiGroup => name in signs);

interface EmojiDialogProps extends DialogSlot<string> {
  readonly anchor: Anchor;
}

/** All emoji to choose from, by group and by words in one's own language. The arrow keys move through them from the search. */
export default function EmojiDialog({ dialog, anchor }: EmojiDialogProps) {
  const t = useT();
  const locale = useLocale();
  const emojis = use(loadEmojis(locale));
  const skinTone = useOption("skinTone");
  const [search, setSearch] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const isTouch = useMediaQuery("(pointer: coarse)");
  const isSheet = useBreakpoint() === "phone";
  const resolve = (): EmojiData => ({
    locale,
    emojis: [...emojis],
    categories: groups.map((group) => ({ index: emojiGroups[group], label: t(`emojiChoice.${group}`) })),
    skinTones: {
      light: t("emojiChoice.tones.light"),
      "medium-light": t("emojiChoice.tones.medium-light"),
      medium: t("emojiChoice.tones.medium"),
      "medium-dark": t("emojiChoice.tones.medium-dark"),
      dark: t("emojiChoice.tones.dark"),
    },
  });
  const press = (event: KeyboardEvent): void => {
    // Enter and the arrows then belong to the input method, not to the emoji.
    if (isComposing(event.nativeEvent)) event.stopPropagation();
    else if (event.key === "Escape" && search !== "") setSearch("");
  };
  return (
    <Dialog
      dialog={dialog}
      title={t("emojiChoice.title")}
      size="sm"
      anchor={anchor}
      closable={isSheet}
      hideTitle={!isSheet}
      // The keyboard of a phone would cover the emoji.
      initialFocus={isTouch ? "top" : field}
    >
      <EmojiPicker.Root
        locale={locale}
        resolveEmojiData={resolve}
        skinTone={skinTone}
        columns={isTouch ? 7 : 8}
        onEmojiSelect={({ emoji }) => dialog.submit(emoji)}
        className="flex flex-col max-md:mt-3"
      >
        <div className="flex h-9 items-center rounded-control bg-sunken has-[input:focus-visible]:shadow-[inset_0_0_0_2px_var(--focus)] touch:h-11 forced-colors:border forced-colors:has-[input:focus-visible]:outline-2">
          <SearchIcon size={16} className="ml-2.5 text-text-2" />
          <EmojiPicker.Search
            ref={field}
            inputMode="search"
            aria-label={t("emojiChoice.search")}
            placeholder={t("emojiChoice.search")}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            onKeyDown={press}
            className="h-full min-w-0 flex-1 appearance-none bg-transparent px-2 outline-none [&::-webkit-search-cancel-button]:hidden pointer-coarse:text-[16px]"
          />
        </div>
        <nav
          aria-label={t("emojiChoice.groups")}
          className={cx("mt-1 flex justify-between", search !== "" && "invisible")}
        >
          {groups.map((group) => (
            <button
              key={group}
              type="button"
              aria-label={t(`emojiChoice.${group}`)}
              className="flex h-9 min-w-0 flex-1 items-center justify-center rounded-control text-[18px] hover:bg-hover touch:h-11"
              // The heading itself sticks to the top; its parent stands where the group begins.
              onClick={() =>
                headingOf(list.current, t(`emojiChoice.${group}`))?.parentElement?.scrollIntoView()
              }
            >
              <span aria-hidden="true" className="font-emoji">
                {signs[group]}
              </span>
            </button>
          ))}
        </nav>
        <EmojiPicker.Viewport className="h-[min(340px,40dvh)]">
          <EmojiPicker.Empty className="block py-8 text-center text-text-2">
            {t("emojiChoice.none", { search: search.trim() })}
          </EmojiPicker.Empty>
          <EmojiPicker.List
            ref={list}
            aria-label={t("emojiChoice.title")}
            components={{ CategoryHeader: GroupHeading, Emoji: EmojiButton }}
          />
        </EmojiPicker.Viewport>
        <div className="mt-2 flex items-center justify-between gap-2 touch:justify-center">
          <span aria-hidden="true" className="min-w-0 truncate text-compact text-text-2 touch:hidden">
            <EmojiPicker.ActiveEmoji>{({ emoji }) => emoji?.label}</EmojiPicker.ActiveEmoji>
          </span>
          <SkinToneChoice />
        </div>
      </EmojiPicker.Root>
    </Dialog>
  );
}

function headingOf(list: HTMLElement | null, label: string): HTMLElement | undefined {
  const headings = list?.querySelectorAll<HTMLElement>("[data-group]") ?? [];
  return [...headings].find(({ dataset }) => dataset.group === label);
}

function GroupHeading({ category, ...props }: EmojiPickerListCategoryHeaderProps) {
  return (
    <div data-group={category.label} {...props} className="bg-raised py-1.5 text-meta text-text-2">
      {category.label}
    </div>
  );
}

function EmojiButton({ emoji, ...props }: EmojiPickerListEmojiProps) {
  return (
    <button
      type="button"
      {...props}
      className="flex h-10 w-[calc(100%/var(--frimousse-list-columns))] items-center justify-center rounded-control font-emoji text-[22px] data-[active]:bg-selected touch:h-11"
    >
      {emoji.emoji}
    </button>
  );
}
