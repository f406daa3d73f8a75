import type { Profile } from "@warren/core";
import { displayNameSchema, limits, v } from "@warren/protocol";
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { Collapsible } from "../ui/collapsible.tsx";
import { TextField } from "../ui/fields/text-field.tsx";
import { Dialog, DialogFooter } from "../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../ui/overlays/dialog-control.ts";
import { AvatarField, type ChosenPicture } from "./avatar-field.tsx";

/** What a person says of themselves. */
export type PersonDetails = Pick<Profile, "name" | "avatar">;

interface ProfileDialogProps extends DialogSlot<PersonDetails> {
  readonly profile: PersonDetails & Pick<Profile, "clientId">;
}

/** My name and picture. */
export default function ProfileDialog({ dialog, profile }: ProfileDialogProps) {
  const t = useT();
  const nameField = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(profile.name);
  const [picture, setPicture] = useState<ChosenPicture>({ status: "ready", picture: profile.avatar });
  /** The failure that has stopped a submit: the next one goes without that picture. */
  const [reported, setReported] = useState<ChosenPicture | null>(null);
  /** Problems are shown once the user has tried to submit. */
  const [isChecked, setChecked] = useState(false);
  /** Until the chosen picture has come. */
  const [isSubmitting, setSubmitting] = useState(false);
  const isNameValid = v.is(displayNameSchema, name);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setChecked(true);
    if (isNameValid) setSubmitting(true);
    else nameField.current?.focus();
  };
  const finish = useEffectEvent((): void => {
    setSubmitting(false);
    if (!isNameValid) return;
    if (picture.status === "failed" && picture !== reported) setReported(picture);
    else dialog.submit({ name: v.parse(displayNameSchema, name), avatar: picture.picture });
  });
  const isLoading = picture.status === "loading";
  useEffect(() => {
    if (isSubmitting && !isLoading) finish();
  }, [isSubmitting, isLoading]);

  return (
    <Dialog dialog={dialog} initialFocus={nameField} title={t("profile.edit")} size="md">
      <form noValidate onSubmit={submit}>
        <div className="mt-4 flex flex-col gap-4">
          <AvatarField
            id={profile.clientId}
            name={name || profile.name}
            value={picture}
            onChange={setPicture}
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
          <Collapsible title={t("personInfo.technical")}>
            <p className="text-meta text-text-2">
              {t("personInfo.clientId")}{" "}
              <code className="select-all break-all max-md:block max-md:tracking-tight">
                {profile.clientId}
              </code>
            </p>
          </Collapsible>
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
