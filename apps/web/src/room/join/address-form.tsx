import { type ReadLink, readJoinLink, type ShortCodes } from "@warren/core";
import { roomIdSchema, toWarrenError, v } from "@warren/protocol";
import { type FormEvent, Suspense, useEffect, useId, useRef, useState } from "react";
import { useFormat } from "../../i18n/format.ts";
import { errorText } from "../../i18n/i18n.ts";
import type { Translate } from "../../i18n/messages.ts";
import { useT } from "../../i18n/use-t.ts";
import { parseUrl } from "../../platform/parse-url.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { TextField } from "../../ui/fields/text-field.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { ScanIcon } from "../../ui/icons.ts";
import { oneLine } from "../../ui/text/one-line.ts";
import { lazyWithPreload } from "../../wiring/lazy-with-preload.ts";
import { usePlatform } from "../../wiring/platform-context.ts";
import { useWarren } from "../../wiring/warren-context.ts";

const CodeCamera = lazyWithPreload(() => import("../../devices/code-camera.tsx"));

interface AddressFormProps {
  /** A link or room ID was entered, or the link of a code was received. */
  readonly onLink: (link: ReadLink) => void;
  /** Asked before anything is joined or looked for. */
  readonly mayJoin?: () => boolean;
  readonly className?: string;
}

/** The line below the field. */
interface Notice {
  readonly words: string;
  /** A room that can be joined nevertheless; its button shows the name. */
  readonly link?: ReadLink | null;
}

/** One field for everything that leads to a room: a link, a short code or a room ID. */
export function AddressForm({ onLink, mayJoin = () => true, className }: AddressFormProps) {
  const t = useT();
  const format = useFormat();
  const warren = useWarren();
  const { home, media } = usePlatform();
  const [isScanning, setScanning] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const listId = useId();
  const [address, setAddress] = useState("");
  const [notice, setNotice] = useState<Notice | null>(null);
  /** Loaded once the field has the focus, to complete words. */
  const [codes, setCodes] = useState<ShortCodes | null>(null);
  /** Cancels the search for the device that shows a code. */
  const [search, setSearch] = useState<AbortController | null>(null);
  useEffect(() => () => search?.abort(), [search]);

  const report = (words: string, link: ReadLink | null = null): void => {
    setNotice({ words, link });
    field.current?.focus();
  };
  const edit = (text: string): void => {
    setAddress(text);
    setNotice(null);
    setSearch(null);
  };
  const join = (link: ReadLink): void => {
    if (mayJoin()) onLink(link);
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (search !== null) return;
    setNotice(null);
    const read = readAddress(address, home, t);
    if (!threeWords.test(address)) return typeof read === "string" ? report(read) : join(read);
    // Set before anything is awaited: a second Enter must not look a second time.
    const controller = new AbortController();
    setSearch(controller);
    const next = await followCode(typeof read === "string" ? null : read, controller.signal);
    if (controller.signal.aborted) return;
    setSearch(null);
    next();
  };
  /**
   * What to do about three words, which are a code or the ID of a room.
   * @param room the room of that ID
   */
  const followCode = async (room: ReadLink | null, signal: AbortSignal): Promise<() => void> => {
    const shortCodes = await warren.shortCodes().catch(() => null);
    if (shortCodes === null) return () => report(t("error.app-code-missing"));
    const code = shortCodes.read(address);
    if (code === null) return () => (room === null ? report(t("start.addressNone")) : join(room));
    if ("unknown" in code) return () => report(t("start.codeUnknownWord", { word: code.unknown }), room);
    if (signal.aborted || !mayJoin()) return () => {};
    try {
      const address = await shortCodes.redeem(code, signal);
      const link = linkOf(address);
      if (link === null) return () => report(t("start.addressNone"));
      const { host } = new URL(address);
      if (host === new URL(home).host) return () => onLink(link);
      return () => report(t("start.codeElsewhere", { host }), link);
    } catch (thrown) {
      const error = toWarrenError(thrown).describe();
      return () => report(errorText(error), error.code === "code-not-found" ? room : null);
    }
  };

  /** A camera sees the same code many times. */
  const lastScan = useRef("");
  const scan = (text: string): void => {
    if (text === lastScan.current) return;
    lastScan.current = text;
    const read = readAddress(text, home, t);
    // Without the focus, which would open a phone's keyboard over the picture.
    if (typeof read === "string") setNotice({ words: read });
    // What may not be joined yet waits in the field: the camera does not report it again.
    else if (!mayJoin()) edit(text);
    else onLink(read);
  };

  const completions = codes?.completions(address) ?? [];

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
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          end={
            media !== null && (
              <IconButton
                icon={ScanIcon}
                label={t("start.scan")}
                aria-expanded={isScanning}
                onClick={() => {
                  lastScan.current = "";
                  setNotice(null);
                  setScanning(!isScanning);
                }}
              />
            )
          }
          error={notice === null ? undefined : <span role="alert">{notice.words}</span>}
        />
        <Button type="submit" size="lg" loading={search !== null} className="mt-6">
          {t("start.join")}
        </Button>
      </div>
      {isScanning && (
        <div className="mt-3">
          <Suspense fallback={<div className="h-52 rounded-card bg-sunken" />}>
            <CodeCamera onCode={scan} />
          </Suspense>
        </div>
      )}
      {notice?.link && <OfferedRoom link={notice.link} onJoin={join} />}
      <datalist id={listId}>
        {completions.map((completed) => (
          <option key={completed} value={completed} />
        ))}
      </datalist>
      <p role="status" className={cx("mt-1.5 text-meta text-text-3", search === null && "sr-only")}>
        {search !== null && t("start.codeSearch")}
        {/* Some screen readers say nothing when the list of a field opens, or none of its options. */}
        {search === null &&
          completions.length > 0 &&
          t("start.completions", {
            count: completions.length,
            words: format.items(completions.map(lastWord)),
          })}
      </p>
    </form>
  );
}

/** Joins a room that is named on the button. */
function OfferedRoom({
  link,
  onJoin,
}: {
  readonly link: ReadLink;
  readonly onJoin: (link: ReadLink) => void;
}) {
  const t = useT();
  return (
    <Button size="md" className="mt-2 max-w-full" onClick={() => onJoin(link)}>
      <span className="truncate">{t("start.joinRoom", { room: oneLine(link.roomId ?? "") })}</span>
    </Button>
  );
}

/** The word that a completion adds. */
function lastWord(text: string): string {
  return text.split(/[^\p{L}]/u).at(-1) ?? "";
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
    const roomId = v.safeParse(roomIdSchema, typed);
    return roomId.success
      ? readJoinLink(`${home}?${new URLSearchParams({ id: roomId.output })}`)
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
