import type { ShortCodes } from "@warren/core";
import { roomIdSchema, toWarrenError } from "@warren/protocol";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { errorText } from "../i18n/i18n.ts";
import type { Translate } from "../i18n/messages.ts";
import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { useDevice } from "../ui/device-context.tsx";
import { parseUrl } from "../ui/parse-url.ts";
import { TextField } from "../ui/text-field.tsx";
import { useWarren } from "../ui/warren-context.tsx";
import { type ReadLink, readJoinLink } from "./join-link.ts";

interface AddressFormProps {
  /** A link or room ID was entered, or the link of a code was received. */
  readonly onLink: (link: ReadLink) => void;
  /** Asked before anything is joined or looked for. */
  readonly mayJoin?: () => boolean;
  readonly className?: string;
}

/** One field for everything that leads to a room: a link, a short code or a room ID. */
export function AddressForm({ onLink, mayJoin = () => true, className }: AddressFormProps) {
  const t = useT();
  const warren = useWarren();
  const { home } = useDevice();
  const field = useRef<HTMLInputElement>(null);
  const listId = useId();
  const [address, setAddress] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  /** Loaded once the field has the focus, to complete words. */
  const [codes, setCodes] = useState<ShortCodes | null>(null);
  /** Calls off the search for the device that shows a code. */
  const [search, setSearch] = useState<AbortController | null>(null);
  useEffect(() => () => search?.abort(), [search]);

  const report = (words: string): void => {
    setProblem(words);
    field.current?.focus();
  };
  const edit = (text: string): void => {
    setAddress(text);
    setProblem(null);
    setSearch(null);
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (search !== null) return;
    setProblem(null);
    const read = readAddress(address, home, t);
    if (threeWords.test(address)) {
      // A room whose ID is three words is joined by its link, or from the form behind "Picture, password and more".
      const shortCodes = await warren.shortCodes().catch(() => null);
      const code = shortCodes?.read(address) ?? null;
      if (shortCodes === null) return report(t("missingPage.toast"));
      if (code !== null && "unknown" in code)
        return report(t("start.codeUnknownWord", { word: code.unknown }));
      if (code !== null) return mayJoin() ? redeem(shortCodes, code) : undefined;
    }
    if (typeof read === "string") report(read);
    else if (mayJoin()) onLink(read);
  };
  const redeem = async (
    shortCodes: ShortCodes,
    words: Parameters<ShortCodes["redeem"]>[0],
  ): Promise<void> => {
    const calledOff = new AbortController();
    setSearch(calledOff);
    try {
      const link = linkOf(await shortCodes.redeem(words, calledOff.signal));
      if (calledOff.signal.aborted) return;
      setSearch(null);
      if (link === null) report(t("start.addressNone"));
      else onLink(link);
    } catch (thrown) {
      if (calledOff.signal.aborted) return;
      setSearch(null);
      report(errorText(toWarrenError(thrown).describe()));
    }
  };

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className={className}>
      <div className="flex items-start gap-2">
        <TextField
          large
          ref={field}
          className="flex-1"
          label={t("start.address")}
          value={address}
          onChange={(event) => edit(event.target.value)}
          onFocus={() => warren.shortCodes().then(setCodes, () => {})}
          list={listId}
          maxLength={8192}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          error={problem === null ? undefined : <span role="alert">{problem}</span>}
        />
        <Button type="submit" size="lg" loading={search !== null} className="mt-6">
          {t("start.join")}
        </Button>
      </div>
      <datalist id={listId}>
        {codes?.completions(address).map((completed) => (
          <option key={completed} value={completed} />
        ))}
      </datalist>
      <p role="status" className={cx("mt-1.5 text-meta text-text-3", search === null && "sr-only")}>
        {search !== null && t("start.codeSearch")}
      </p>
    </form>
  );
}

/** The shape of a code. Only its words show whether it is one. */
const threeWords = /^\s*\p{L}+(?:[\s,.·_-]+\p{L}+){2}[\s,.]*$/u;

/** Parses a link to a room of this app, or a room ID; returns the sentence to show where it is neither. */
function readAddress(text: string, home: string, t: Translate): ReadLink | string {
  const typed = text.trim();
  // Links are often copied without their scheme.
  const address = /^[\w.-]+(:\d+)?(\/[\w.~-]+)*\/(\?|r\/)/.test(typed)
    ? `${new URL(home).protocol}//${typed}`
    : typed;
  if (!/^https?:\/\//i.test(address) || parseUrl(address) === null) {
    const roomId = roomIdSchema.safeParse(typed);
    return roomId.success
      ? readJoinLink(`${home}?${new URLSearchParams({ id: roomId.data })}`)
      : t("start.addressNone");
  }
  const url = new URL(address);
  if (!(url.origin + url.pathname).startsWith(home)) return t("start.addressElsewhere", { host: url.host });
  return linkOf(address) ?? t("start.addressNone");
}

/**
 * The room that a link leads to; null if there is none. A link that came with a code may name another origin: both
 * devices are at one server, which can have several names.
 */
function linkOf(address: string): ReadLink | null {
  const link = parseUrl(address) && readJoinLink(address);
  return link?.roomId ? link : null;
}
