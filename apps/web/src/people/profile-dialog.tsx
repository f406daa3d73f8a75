import type { Profile } from "@warren/core";
import { displayNameSchema, limits, v } from "@warren/protocol";
import { type FormEvent, useRef, useState } from "react";
import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/fields/text-field.tsx";
import { Folded } from "../ui/folded.tsx";
import { Dialog, DialogFooter } from "../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../ui/overlays/dialog-control.ts";
import { AvatarField } from "./avatar-field.tsx";

/** What a person says of themselves. */
export type PersonDetails = Pick<Profile, "name" | "avatar">;

interface ProfileDialogProps extends DialogSlot<PersonDetails> {
  readonly profile: PersonDetails & Pick<Profile, "clientId">;
}

/** My name and picture. */
export function ProfileDialog({ dialog, profile }: ProfileDialogProps) {
  const t = useT();
  const nameField = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(profile.name);
  const [avatar, setAvatar] = useState(profile.avatar);
  /** Problems are shown once the user has tried to submit. */
  const [isChecked, setChecked] = useState(false);
  const [isSubmitting, setSubmitting] = useState(false);
  const isNameValid = v.is(displayNameSchema, name);
  /** Whether the requested picture has loaded. */
  const picture = useRef(Promise.resolve(true));
  const latestAvatar = useRef(avatar);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isSubmitting) return;
    setChecked(true);
    if (!isNameValid) return nameField.current?.focus();
    // A requested picture is included; if it fails to load, an error is shown first.
    setSubmitting(true);
    const hasCome = await picture.current;
    picture.current = Promise.resolve(true);
    setSubmitting(false);
    if (!hasCome) return;
    dialog.submit({ name: v.parse(displayNameSchema, name), avatar: latestAvatar.current });
  };

  return (
    <Dialog dialog={dialog} initialFocus={nameField} title={t("profile.edit")} size="md">
      <form noValidate onSubmit={(event) => void submit(event)}>
        <div className="mt-4 flex flex-col gap-4">
          <AvatarField
            clientId={profile.clientId}
            name={name || profile.name}
            value={avatar}
            onChange={(value) => {
              latestAvatar.current = value; // read before the next render
              setAvatar(value);
            }}
            onLoad={(loaded) => {
              picture.current = loaded;
            }}
          />
          <TextField
            ref={nameField}
            value={name}
            onChange={(event) => setName(event.target.value)}
            label={t("join.name")}
            maxLength={limits.nameLength}
            autoComplete="nickname"
            required
            error={isChecked && !isNameValid ? t("arrival.nameRequired") : undefined}
          />
          <Folded title={t("clientInfo.technical")}>
            <p className="text-meta text-text-2">
              {t("clientInfo.clientId")}{" "}
              <code className="select-all break-all max-md:block max-md:tracking-tight">
                {profile.clientId}
              </code>
            </p>
          </Folded>
        </div>
        <DialogFooter>
          <Button variant="ghost" onClick={dialog.cancel}>
            {t("common.cancel")}
          </Button>
          <Button variant="primary" type="submit" loading={isSubmitting}>
            {t("common.save")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
