import { generatePassword, keptTagOf, type Profile, profileFields } from "@warren/core";
import { limits, roomIdSchema, v } from "@warren/protocol";
import { type FormEvent, useRef, useState } from "react";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { PasswordField } from "../../ui/fields/password-field.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { RefreshIcon } from "../../ui/icons.ts";
import { Dialog, DialogFooter } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { useStore, useWarren } from "../../wiring/warren-context.tsx";

/** The user's input about the room. */
export type RoomDetails = Pick<Profile, "roomId" | "password">;

interface JoinRoomDialogProps extends DialogSlot<RoomDetails> {
  readonly details: RoomDetails;
  /** The room we are in; joining another room or changing the password leaves it. Null outside a room. */
  readonly currentRoom: string | null;
}

/** The join form, Edit Room Info: the name of a room and its password. */
export function JoinRoomDialog({ dialog, details, currentRoom }: JoinRoomDialogProps) {
  const t = useT();
  const roomField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const [roomId, setRoomId] = useState(details.roomId);
  const [password, setPassword] = useState(details.password ?? "");
  /** Problems are shown once the user has tried to submit. */
  const [isChecked, setChecked] = useState(false);
  const isRoomValid = v.is(roomIdSchema, roomId);
  const { chat } = useWarren();
  const isPasswordOther = password !== (details.password ?? "");
  const moves = roomId !== details.roomId || isPasswordOther;
  const isKept = useStore(chat.rooms, (rooms) => rooms.some(({ tag }) => tag === keptTagOf(details)));

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setChecked(true);
    if (!isRoomValid) roomField.current?.focus();
    else if (!v.is(profileFields.password, password)) passwordField.current?.focus();
    else
      dialog.submit({ roomId: v.parse(roomIdSchema, roomId), password: password === "" ? null : password });
  };

  return (
    <Dialog
      dialog={dialog}
      initialFocus={roomField}
      title={t("join.title")}
      description={t("join.line")}
      size="md"
    >
      <form noValidate onSubmit={submit}>
        <div className="mt-4 flex flex-col gap-4">
          <TextField
            ref={roomField}
            value={roomId}
            onChange={(event) => setRoomId(event.target.value)}
            label={t("join.room")}
            maxLength={limits.roomIdLength}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            required
            error={isChecked && !isRoomValid ? t("arrival.roomRequired") : undefined}
          />
          <PasswordField
            ref={passwordField}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
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
                onClick={() => setPassword(generatePassword())}
              />
            }
          />
          {currentRoom !== null && moves && (
            <p className="text-compact text-text-2">{t("join.rejoinHint", { room: currentRoom })}</p>
          )}
          {isKept && roomId === details.roomId && isPasswordOther && (
            <p className="text-compact text-text-2">{t("join.otherPasswordHint")}</p>
          )}
        </div>
        <DialogFooter>
          <Button variant="ghost" onClick={dialog.cancel}>
            {t("common.cancel")}
          </Button>
          <Button variant="primary" type="submit">
            {currentRoom !== null && !moves ? t("join.save") : t("join.submit")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
