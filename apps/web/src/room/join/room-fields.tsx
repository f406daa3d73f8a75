import { generatePassword, localTagOf } from "@warren/core";
import { limits, roomIdSchema, v } from "@warren/protocol";
import { useT } from "../../i18n/use-t.ts";
import { PasswordField } from "../../ui/fields/password-field.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { RefreshIcon } from "../../ui/icons.ts";
import { useStore, useWarren } from "../../wiring/warren-context.ts";
import type { RoomDraft } from "./use-room-draft.ts";

interface RoomFieldsProps {
  readonly draft: RoomDraft;
  /** The room we are in; joining another room or changing the password leaves it. Null outside a room. */
  readonly currentRoom: string | null;
}

/** The name of a room and its password, and what another one means. */
export function RoomFields({ draft, currentRoom }: RoomFieldsProps) {
  const t = useT();
  const { chat } = useWarren();
  const { room, roomId, password } = draft;
  const isVisited = useStore(chat.rooms, (rooms) => rooms.some(({ tag }) => tag === localTagOf(room)));
  return (
    <>
      <TextField
        ref={draft.roomField}
        value={roomId}
        onChange={(event) => draft.setRoomId(event.target.value)}
        label={t("join.room")}
        maxLength={limits.roomIdLength}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        required
        error={draft.isChecked && !v.is(roomIdSchema, roomId) ? t("arrival.roomRequired") : undefined}
      />
      <PasswordField
        ref={draft.passwordField}
        value={password}
        onChange={(event) => draft.setPassword(event.target.value)}
        label={t("join.password")}
        aside={t("common.optional")}
        hint={t("join.passwordHint")}
        maxLength={256}
        end={
          <IconButton
            size="sm"
            icon={RefreshIcon}
            label={t("join.generatePassword")}
            onClick={() => draft.setPassword(generatePassword())}
          />
        }
      />
      {currentRoom !== null && draft.moves && (
        <p className="text-compact text-text-2">{t("join.rejoinHint", { room: currentRoom })}</p>
      )}
      {isVisited && roomId === room.roomId && password !== (room.password ?? "") && (
        <p className="text-compact text-text-2">{t("join.otherPasswordHint")}</p>
      )}
    </>
  );
}
