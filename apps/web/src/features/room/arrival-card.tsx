import { randomName, randomRoomId } from "@warren/core";
import { displayNameSchema, roomIdSchema } from "@warren/protocol";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { CheckLine } from "../../components/check-line.tsx";
import { OwnAvatar } from "../../components/client-avatar.tsx";
import { useProfile, useRoom, useWarren } from "../../components/warren-context.tsx";
import { useRoomActions } from "../../dialogs/use-room-actions.ts";
import { useMediaQuery } from "../../hooks/use-media-query.ts";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { LockIcon, PeopleIcon, RefreshIcon } from "../../ui/icons.tsx";
import { Passage } from "../../ui/passage.tsx";
import { LeafSpinner } from "../../ui/spinner.tsx";
import { TextField } from "../../ui/text-field.tsx";

export interface ArrivalCardProps {
  /** Whether the room is chosen here too, because nothing named one yet. */
  readonly choosesRoom?: boolean;
  /** Whether the password stood in the link. */
  readonly passwordFromLink?: boolean;
  /** Hosts of the connection servers that a link brought; the person says whether they are used. */
  readonly linkServerHosts?: readonly string[];
  /** Called before joining with what the person said about those servers. */
  readonly onJoin?: (useLinkServers: boolean) => void;
}

/** First run and confirmation in one: who am I, which room, Join. */
export function ArrivalCard({
  choosesRoom = false,
  passwordFromLink = false,
  linkServerHosts = [],
  onJoin,
}: ArrivalCardProps) {
  const t = useT();
  const { profile: profiles, room: rooms } = useWarren();
  const profile = useProfile();
  const room = useRoom();
  const { join, editRoom } = useRoomActions();
  const [name, setName] = useState(profile.name);
  const [roomId, setRoomId] = useState(profile.roomId);
  const [useLinkServers, setUseLinkServers] = useState(true);
  const [checked, setChecked] = useState(false);
  const nameField = useFocusWithoutTouch();

  // The join form and other tabs change them too.
  useEffect(() => setName(profile.name), [profile.name]);
  useEffect(() => setRoomId(profile.roomId), [profile.roomId]);

  const nameValid = displayNameSchema.safeParse(name).success;
  const roomValid = roomIdSchema.safeParse(roomId).success;
  const connecting = room.status === "connecting";

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setChecked(true);
    if (!nameValid || !roomValid || room.status !== "disconnected") return;
    profiles.update({ name, roomId });
    onJoin?.(useLinkServers);
    void join();
  };
  const openForm = (): void => {
    profiles.update({ ...(nameValid && { name }), ...(roomValid && { roomId }) });
    void editRoom(() => onJoin?.(useLinkServers));
  };

  return (
    <form
      noValidate
      onSubmit={submit}
      className="on-picture flex w-full max-w-[376px] flex-col items-center text-center [--picture-inset:20px]"
    >
      <Passage from={<OwnAvatar size={52} name={name} />} to={<PeopleIcon size={22} />} />
      <h1 className="mt-7 max-w-full break-words text-display">
        {choosesRoom ? t("arrival.titleStart") : t("arrival.title", { room: profile.roomId })}
      </h1>
      <p className="mt-1.5 max-w-[300px] text-body-lg text-text-2">{t("arrival.line")}</p>
      <div className="mt-7 flex w-full flex-col gap-4 text-left">
        {choosesRoom && (
          <TextField
            large
            label={t("arrival.room")}
            value={roomId}
            onChange={(event) => setRoomId(event.target.value)}
            maxLength={64}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            required
            error={checked && !roomValid ? t("arrival.roomRequired") : undefined}
            end={
              <IconButton
                icon={RefreshIcon}
                label={t("arrival.newRoom")}
                onClick={() => setRoomId(randomRoomId())}
              />
            }
          />
        )}
        <TextField
          large
          ref={nameField}
          label={t("arrival.name")}
          value={name}
          onChange={(event) => setName(event.target.value)}
          maxLength={64}
          autoComplete="nickname"
          required
          error={checked && !nameValid ? t("arrival.nameRequired") : undefined}
          end={
            <IconButton
              icon={RefreshIcon}
              label={t("arrival.newName")}
              onClick={() => setName(randomName())}
            />
          }
        />
        {linkServerHosts.length > 0 && (
          <CheckLine checked={useLinkServers} onChange={setUseLinkServers}>
            {t("arrival.serversFromLink", { host: linkServerHosts.join(", ") })}
          </CheckLine>
        )}
        <Button
          type="submit"
          variant="primary"
          size="lg"
          loading={connecting}
          loadingMark={<LeafSpinner size={16} />}
          className="w-full"
        >
          {connecting ? t("arrival.joining", { room: room.roomId }) : t("arrival.join")}
        </Button>
      </div>
      <Button
        variant="ghost"
        size="sm"
        className="mt-3"
        onClick={connecting ? () => rooms.leave() : openForm}
      >
        {connecting ? t("arrival.leaveWhileConnecting") : t("arrival.more")}
      </Button>
      <PasswordLine words={passwordLine(profile.password !== null, passwordFromLink)} />
    </form>
  );
}

function PasswordLine({ words }: { readonly words: ReturnType<typeof passwordLine> }) {
  const t = useT();
  return (
    <p className="mt-5 text-balance text-meta text-text-3">
      {words !== "arrival.passwordNone" && (
        <LockIcon size={14} strokeWidth={1.75} className="mr-2 inline align-[-2px]" />
      )}
      {t(words)}
    </p>
  );
}

function passwordLine(hasPassword: boolean, fromLink: boolean) {
  if (!hasPassword) return "arrival.passwordNone";
  return fromLink ? "arrival.passwordFromLink" : "arrival.passwordSet";
}

/** Focuses a field at first, unless that would bring up a keyboard over the page. */
function useFocusWithoutTouch() {
  const field = useRef<HTMLInputElement>(null);
  const touch = useMediaQuery("(pointer: coarse)");
  useEffect(() => {
    if (!touch) field.current?.focus({ preventScroll: true });
  }, [touch]);
  return field;
}

/** Where the card stands in a pane rather than on a page of its own. */
export function ArrivalPane({ children }: { readonly children: ReactNode }) {
  return (
    <div className="picture-window flex min-h-0 min-w-0 flex-1 overflow-y-auto bg-surface px-5 py-8">
      <div className="m-auto flex w-full justify-center">{children}</div>
    </div>
  );
}
