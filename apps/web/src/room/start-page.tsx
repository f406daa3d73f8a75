import { roomIdSchema } from "@warren/protocol";
import { type FormEvent, useState } from "react";
import { useT } from "../i18n/use-t.ts";
import { OwnAvatar } from "../people/client-avatar.tsx";
import { Button } from "../ui/button.tsx";
import { useDevice } from "../ui/device-context.tsx";
import { AddIcon, PeopleIcon } from "../ui/icons.tsx";
import { parseUrl } from "../ui/parse-url.ts";
import { Passage } from "../ui/passage.tsx";
import { LeafSpinner } from "../ui/spinner.tsx";
import { TextField } from "../ui/text-field.tsx";
import { useRoom, useWarren } from "../ui/warren-context.tsx";
import { ArrivalFrame } from "./arrival-frame.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { type ReadLink, readJoinLink } from "./join-link.ts";
import { NameField, useNameDraft } from "./name-field.tsx";
import { useJoiningWords } from "./use-joining-words.ts";
import { useNewRoom } from "./use-new-room.ts";
import { useRoomActions } from "./use-room-actions.ts";

interface StartPageProps {
  /** A link or room ID was entered and accepted, except for any servers it brings. */
  readonly onLink: (link: ReadLink) => void;
}

/** The page of a first visit: what Warren is, a new room with one click, or joining by link. */
export function StartPage({ onLink }: StartPageProps) {
  const t = useT();
  const { profile: profiles, room: rooms } = useWarren();
  const { status } = useRoom();
  const { home } = useDevice();
  const { editRoom } = useRoomActions();
  const newRoom = useNewRoom();
  const joining = useJoiningWords();
  const name = useNameDraft();
  const [checked, setChecked] = useState(false);
  const [address, setAddress] = useState("");
  const [problem, setProblem] = useState<AddressProblem | null>(null);
  const connecting = status === "connecting";

  /**
   * Stores the name.
   * @returns whether there is one.
   */
  const keepName = (): boolean => {
    setChecked(true);
    if (name.isValid) profiles.update({ name: name.name });
    return name.isValid;
  };
  const start = (): void => {
    if (!connecting && keepName()) newRoom();
  };
  const joinByLink = (event: FormEvent): void => {
    event.preventDefault();
    const read = readAddress(address, home);
    setProblem("words" in read ? read : null);
    if (!connecting && keepName() && !("words" in read)) onLink(read);
  };

  return (
    <ArrivalFrame title={t("start.title")}>
      <div className="on-picture grid w-full max-w-[376px] grid-cols-[minmax(0,1fr)] gap-10 [--picture-inset:20px] lg:max-w-[860px] lg:grid-cols-[376px_1fr] lg:items-center lg:gap-20">
        <div className="flex flex-col items-center text-center">
          <Passage from={<OwnAvatar size={52} name={name.name} />} to={<PeopleIcon size={22} />} />
          <h1 className="mt-7 text-display">{t("start.title")}</h1>
          <p className="mt-1.5 max-w-[340px] text-balance text-body-lg text-text-2">{t("start.line")}</p>
          <div className="mt-7 flex w-full flex-col gap-4 text-left">
            <NameField draft={name} checked={checked} />
            <div>
              <Button
                variant="primary"
                size="lg"
                icon={AddIcon}
                loading={connecting}
                loadingMark={<LeafSpinner size={16} />}
                className="w-full"
                onClick={start}
              >
                {connecting ? joining.label : t("start.newRoom")}
              </Button>
              <p role="status" className="mt-1.5 text-center text-meta text-text-3">
                {joining.line ?? t("start.newRoomLine")}
              </p>
            </div>
            <form
              noValidate
              onSubmit={joinByLink}
              className="flex items-start gap-2 border-t border-line pt-4"
            >
              <TextField
                large
                className="flex-1"
                label={t("start.address")}
                value={address}
                onChange={(event) => setAddress(event.target.value)}
                maxLength={8192}
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                error={problem === null ? undefined : t(problem.words, { host: problem.host })}
              />
              <Button type="submit" size="lg" className="mt-6">
                {t("start.join")}
              </Button>
            </form>
          </div>
          {connecting ? (
            <Button variant="ghost" size="sm" className="mt-3" onClick={() => rooms.leave()}>
              {t("arrival.leaveWhileConnecting")}
            </Button>
          ) : (
            <Button
              variant="ghost"
              size="sm"
              className="mt-3"
              onClick={() => void editRoom(name.isValid ? { name: name.name } : {})}
            >
              {t("arrival.more")}
            </Button>
          )}
        </div>
        <section aria-labelledby="first-steps" className="rounded-card border border-line-2 bg-raised p-5">
          <h2 id="first-steps" className="mb-4 text-heading">
            {t("firstSteps.title")}
          </h2>
          <FirstSteps />
        </section>
      </div>
    </ArrivalFrame>
  );
}

interface AddressProblem {
  readonly words: "start.addressElsewhere" | "start.addressNone";
  readonly host: string;
}

/** Parses the input as a link to a room of this app or as a room ID. */
function readAddress(text: string, home: string): ReadLink | AddressProblem {
  const typed = text.trim();
  // Links are often copied without their scheme.
  const address = /^[\w.-]+(:\d+)?(\/[\w.~-]+)*\/(\?|r\/)/.test(typed)
    ? `${new URL(home).protocol}//${typed}`
    : typed;
  if (!/^https?:\/\//i.test(address) || parseUrl(address) === null) {
    const roomId = roomIdSchema.safeParse(typed);
    return roomId.success
      ? readJoinLink(`${home}?${new URLSearchParams({ id: roomId.data })}`)
      : { words: "start.addressNone", host: "" };
  }
  const url = new URL(address);
  if (!(url.origin + url.pathname).startsWith(home))
    return { words: "start.addressElsewhere", host: url.host };
  const link = readJoinLink(address);
  return link.roomId === null ? { words: "start.addressNone", host: "" } : link;
}
