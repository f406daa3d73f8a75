import { generatePassword, newRoomId, type Profile } from "@warren/core";
import { limits, roomIdSchema, v } from "@warren/protocol";
import { type FormEvent, useRef, useState } from "react";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { RefreshIcon } from "../../ui/icons.ts";
import { Dialog, DialogFooter } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { useStore, useWarren } from "../../wiring/warren-context.ts";

const entries = ["link", "name"] as const;

/** Asks what a new room is called and who can join it: those with its link, which holds a password, or those with its name. */
export function NewRoomDialog({ dialog }: DialogSlot<Pick<Profile, "roomId" | "password">>) {
  const t = useT();
  const field = useRef<HTMLInputElement>(null);
  const [roomId, setRoomId] = useState(newRoomId);
  const [entry, setEntry] = useState<(typeof entries)[number]>("link");
  const [isChecked, setChecked] = useState(false);
  const visited = useStore(useWarren().chat.rooms);
  const isNamed = v.is(roomIdSchema, roomId);
  // With another password it would be another room, hard to tell from the first.
  const isTaken = isNamed && visited.some(({ id }) => id === v.parse(roomIdSchema, roomId));
  const isValid = isNamed && !isTaken;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setChecked(true);
    if (!isValid) {
      field.current?.focus();
      return;
    }
    const password = entry === "link" ? generatePassword() : null;
    dialog.submit({ roomId: v.parse(roomIdSchema, roomId), password });
  };
  return (
    <Dialog dialog={dialog} title={t("newRoom.title")} initialFocus={field}>
      <form noValidate onSubmit={submit}>
        <TextField
          ref={field}
          className="mt-4"
          label={t("newRoom.field")}
          value={roomId}
          onChange={(event) => setRoomId(event.target.value)}
          maxLength={limits.roomIdLength}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          required
          error={isTaken ? t("newRoom.taken") : isChecked && !isNamed ? t("arrival.roomRequired") : undefined}
          end={
            <IconButton
              size="sm"
              icon={RefreshIcon}
              label={t("newRoom.another")}
              onClick={() => setRoomId(newRoomId())}
            />
          }
        />
        <fieldset className="mt-4 flex flex-col gap-1">
          <legend className="mb-1 text-compact font-medium">{t("newRoom.who")}</legend>
          {entries.map((each) => (
            <label
              key={each}
              className="-mx-2 flex cursor-pointer items-start gap-3 rounded-row px-2 py-2 hover:bg-hover"
            >
              <input
                type="radio"
                name="entry"
                checked={entry === each}
                onChange={() => setEntry(each)}
                className="mt-0.5 size-4 shrink-0 accent-accent"
              />
              <span>
                <span className="block text-body">{t(`newRoom.${each}`)}</span>
                <span className="block text-meta text-text-2">{t(`newRoom.${each}Line`)}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <DialogFooter>
          <Button variant="ghost" onClick={dialog.cancel}>
            {t("common.cancel")}
          </Button>
          <Button variant="primary" type="submit">
            {t("newRoom.create")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
