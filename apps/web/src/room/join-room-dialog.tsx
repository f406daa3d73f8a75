import { generatePassword, type Profile } from "@warren/core";
import { displayNameSchema, roomIdSchema, v } from "@warren/protocol";
import { useRef } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useT } from "../i18n/use-t.ts";
import { AvatarField } from "../people/avatar-field.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { RefreshIcon } from "../ui/icons.ts";
import type { DialogSlot } from "../ui/open-dialog.tsx";
import { PasswordField } from "../ui/password-field.tsx";
import { TextField } from "../ui/text-field.tsx";

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
  const first = useRef<HTMLInputElement>(null);
  const { roomId, name, avatar } = profile;
  const form = useForm({ defaultValues: { roomId, name, password: profile.password ?? "", avatar } });
  const now = useWatch({ control: form.control });
  const { errors } = form.formState;
  const moves = now.roomId !== profile.roomId || now.password !== (profile.password ?? "");

  const picture = useRef(Promise.resolve(true));

  const submit = form.handleSubmit(async (values) => {
    // A requested picture is included; if it fails to load, an error is shown first.
    const hasCome = await picture.current;
    picture.current = Promise.resolve(true);
    if (!hasCome) return;
    dialog.submit({
      roomId: v.parse(roomIdSchema, values.roomId),
      name: v.parse(displayNameSchema, values.name),
      password: values.password === "" ? null : values.password,
      avatar: form.getValues("avatar"),
    });
  });
  const room = form.register("roomId", {
    validate: (value) => v.is(roomIdSchema, value) || t("arrival.roomRequired"),
  });

  return (
    <Dialog
      open={dialog.open}
      onClose={dialog.cancel}
      returnFocus={dialog.returnFocus}
      initialFocus={first}
      title={t("join.title")}
      size="md"
    >
      <form noValidate onSubmit={(event) => void submit(event)}>
        <div className="mt-4 flex flex-col gap-4">
          <AvatarField
            clientId={profile.clientId}
            name={now.name || profile.name}
            value={now.avatar ?? null}
            onChange={(value) => form.setValue("avatar", value)}
            onLoad={(loaded) => {
              picture.current = loaded;
            }}
          />
          <div className="grid grid-cols-[repeat(auto-fit,minmax(140px,1fr))] gap-3">
            <TextField
              {...room}
              ref={(element) => {
                room.ref(element);
                first.current = element;
              }}
              label={t("join.room")}
              maxLength={64}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              required
              error={errors.roomId?.message}
            />
            <TextField
              {...form.register("name", {
                validate: (value) => v.is(displayNameSchema, value) || t("arrival.nameRequired"),
              })}
              label={t("join.name")}
              maxLength={64}
              autoComplete="nickname"
              required
              error={errors.name?.message}
            />
          </div>
          <PasswordField
            {...form.register("password")}
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
                onClick={() => form.setValue("password", generatePassword())}
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
          <Button variant="primary" type="submit" loading={form.formState.isSubmitting}>
            {currentRoom !== null && !moves ? t("join.save") : t("join.submit")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
