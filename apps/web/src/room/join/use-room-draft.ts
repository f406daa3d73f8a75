import { type Profile, profileFields } from "@warren/core";
import { roomIdSchema, v } from "@warren/protocol";
import { type RefObject, useRef, useState } from "react";

/** What a room is: its name and its password. */
export type RoomDetails = Pick<Profile, "roomId" | "password">;

/** The name and password of a room while they are typed. */
export interface RoomDraft {
  readonly room: RoomDetails;
  readonly roomId: string;
  readonly password: string;
  setRoomId(roomId: string): void;
  setPassword(password: string): void;
  /** Whether they name another room than the one of before. */
  readonly moves: boolean;
  /** Problems are shown once the user has tried to submit. */
  readonly isChecked: boolean;
  readonly roomField: RefObject<HTMLInputElement | null>;
  readonly passwordField: RefObject<HTMLInputElement | null>;
  /** Checks what was typed; null, with the focus on the field, where it cannot be used. */
  read(): RoomDetails | null;
}

/** @param room the details of before, or of the room to join. */
export function useRoomDraft(room: RoomDetails, typed: RoomDetails = room): RoomDraft {
  const roomField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const [roomId, setRoomId] = useState(typed.roomId);
  const [password, setPassword] = useState(typed.password ?? "");
  const [isChecked, setChecked] = useState(false);
  const read = (): RoomDetails | null => {
    setChecked(true);
    const isRoomValid = v.is(roomIdSchema, roomId);
    if (isRoomValid && v.is(profileFields.password, password))
      return { roomId: v.parse(roomIdSchema, roomId), password: password === "" ? null : password };
    (isRoomValid ? passwordField : roomField).current?.focus();
    return null;
  };
  const moves = roomId !== room.roomId || password !== (room.password ?? "");
  return {
    ...{ room, roomId, password, setRoomId, setPassword, moves, isChecked, roomField, passwordField, read },
  };
}
