import { generatePassword, type Profile, profileFields } from "@warren/core";
import { displayNameSchema, limits, roomIdSchema, v } from "@warren/protocol";
import { type FormEvent, useRef, useState } from "react";
import { useT } from "../../i18n/use-t.ts";
import { AvatarField } from "../../people/avatar-field.tsx";
import { Button } from "../../ui/button.tsx";
import { PasswordField } from "../../ui/fields/password-field.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { RefreshIcon } from "../../ui/icons.ts";
import { Dialog, DialogFooter } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";

/** The user's input about the room and themselves. */
export type RoomDetails = Pick<Profile, "roomId" | "name" | "password" | "avatar">;

interface JoinRoomDialogProps extends DialogSlot<RoomDetails> {
  readonly profile: Profile;
  /** The room we are in; joining another room or changing the password leaves it. Null outside a room. */
  readonly currentRoom: string | null;
}

/** The join form, Edit Room Info: picture, room, name and password. */
export function JoinRoomDialog({ dialog, profile, currentRoom }: JoinRoomDialogProps) {
  const t = useT();
  const roomField = useRef<HTMLInputElement>(null);
  const nameField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const { roomId, name, avatar } = profile;
  const before = { roomId, name, password: profile.password ?? "", avatar };
  const [draft, setDraft] = useState(before);
  /** Problems are shown once the user has tried to submit. */
  const [isChecked, setChecked] = useState(false);
  const [isSubmitting, setSubmitting] = useState(false);
  const isRoomValid = v.is(roomIdSchema, draft.roomId);
  const isNameValid = v.is(displayNameSchema, draft.name);
  const isPasswordValid = v.is(profileFields.password, draft.password);
  const moves = draft.roomId !== before.roomId || draft.password !== before.password;
  const change = (part: Partial<typeof draft>): void => setDraft((now) => ({ ...now, ...part }));

  /** Whether the requested picture has loaded. */
  const picture = useRef(Promise.resolve(true));
  const latestAvatar = useRef(avatar);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isSubmitting) return;
    setChecked(true);
    if (!isRoomValid) return roomField.current?.focus();
    if (!isNameValid) return nameField.current?.focus();
    if (!isPasswordValid) return passwordField.current?.focus();
    // A requested picture is included; if it fails to load, an error is shown first.
    setSubmitting(true);
    const hasCome = await picture.current;
    picture.current = Promise.resolve(true);
    setSubmitting(false);
    if (!hasCome) return;
    dialog.submit({
      roomId: v.parse(roomIdSchema, draft.roomId),
      name: v.parse(displayNameSchema, draft.name),
      password: draft.password === "" ? null : draft.password,
      avatar: latestAvatar.current,
    });
  };

  return (
    <Dialog dialog={dialog} initialFocus={roomField} title={t("join.title")} size="md">
      <form noValidate onSubmit={(event) => void submit(event)}>
        <div className="mt-4 flex flex-col gap-4">
          <AvatarField
            clientId={profile.clientId}
            name={draft.name || name}
            value={draft.avatar}
            onChange={(value) => {
              latestAvatar.current = value; // read before the next render
              change({ avatar: value });
            }}
            onLoad={(loaded) => {
              picture.current = loaded;
            }}
          />
          <div className="grid grid-cols-[repeat(auto-fit,minmax(140px,1fr))] gap-3">
            <TextField
              ref={roomField}
              value={draft.roomId}
              onChange={(event) => change({ roomId: event.target.value })}
              label={t("join.room")}
              maxLength={limits.roomIdLength}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              required
              error={isChecked && !isRoomValid ? t("arrival.roomRequired") : undefined}
            />
            <TextField
              ref={nameField}
              value={draft.name}
              onChange={(event) => change({ name: event.target.value })}
              label={t("join.name")}
              maxLength={limits.nameLength}
              autoComplete="nickname"
              required
              error={isChecked && !isNameValid ? t("arrival.nameRequired") : undefined}
            />
          </div>
          <PasswordField
            ref={passwordField}
            value={draft.password}
            onChange={(event) => change({ password: event.target.value })}
            label={t("join.password")}
            aside={t("common.optional")}
            hint={t("join.passwordHint")}
            maxLength={256}
            showLabel={t("join.showPassword")}
            hideLabel={t("join.hidePassword")}
            end={
              <IconButton
                size="sm"
                icon={RefreshIcon}
                label={t("join.generatePassword")}
                onClick={() => change({ password: generatePassword() })}
              />
            }
          />
          <p className="text-meta text-text-3">
            {t("join.clientId")}{" "}
            <code className="select-all break-all max-md:block max-md:tracking-tight">
              {profile.clientId}
            </code>
          </p>
          {currentRoom !== null && moves && (
            <p className="text-compact text-text-2">{t("join.rejoinHint", { room: currentRoom })}</p>
          )}
        </div>
        <DialogFooter>
          <Button variant="ghost" onClick={dialog.cancel}>
            {t("common.cancel")}
          </Button>
          <Button variant="primary" type="submit" loading={isSubmitting}>
            {currentRoom !== null && !moves ? t("join.save") : t("join.submit")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
