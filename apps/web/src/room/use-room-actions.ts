import { peersOf, roomIdOf } from "@warren/core";
import { toWarrenError } from "@warren/protocol";
import { isMoving } from "../file-state/file-state.ts";
import { errorText } from "../i18n/i18n.ts";
import { useT } from "../i18n/use-t.ts";
import { openDialog } from "../wiring/dialogs/open-dialog.ts";
import { confirm } from "../wiring/dialogs/question.tsx";
import { lazyWithPreload } from "../wiring/lazy-with-preload.ts";
import { usePlatform } from "../wiring/platform-context.ts";
import { toast } from "../wiring/toast.ts";
import { useWarren } from "../wiring/warren-context.ts";
import { AboutDialog } from "./about-dialog.tsx";
import { isShownLastingly, joinProblemOf } from "./join/join-problem.ts";
import { JoinRoomDialog } from "./join/join-room-dialog.tsx";
import type { RoomDetails } from "./join/use-room-draft.ts";
import { useShowRoom } from "./room-address.ts";

const ShareRoomDialog = lazyWithPreload(() => import("./link/share-room-dialog.tsx"));

/** The user's actions on the room; failures are shown, so nothing here rejects. */
export interface RoomActions {
  /**
   * Joins the room of the profile; another tab that the user was shown gives way.
   * @param joining the join that the page has already started, instead of a new one.
   */
  join(joining?: Promise<void>): Promise<void>;
  /**
   * Opens the join form. Submitting stores the input and joins, or rejoins if it changed.
   * @param draft shown in the form instead of the profile's values.
   * @param onSubmit runs before anything is stored.
   */
  editRoom(draft?: Partial<RoomDetails>, onSubmit?: (details: RoomDetails) => void): Promise<void>;
  /**
   * Leaves, after a confirmation if there are other members or active transfers; also cancels a running join.
   */
  leave(): Promise<void>;
  /**
   * Leaves the room and begins to join another one, after a confirmation if transfers would stop or a call would end.
   * @param onGo runs once that is certain, before anything is joined.
   * @returns false if the person stays.
   */
  goTo(details: RoomDetails, onGo?: () => void): Promise<boolean>;
  shareRoom(): Promise<void>;
  showAbout(topic: "about" | "how-it-works"): Promise<void>;
}

/** The room's actions, with their dialogs and toasts. */
export function useRoomActions(): RoomActions {
  const t = useT();
  const { call, profile, room, transfers } = useWarren();
  const { roomLock } = usePlatform();
  const showRoom = useShowRoom();

  const join: RoomActions["join"] = async (joining) => {
    if (joining === undefined) {
      profile.update({ initialJoin: false });
      roomLock.takeOver();
    }
    try {
      await (joining ?? room.join());
    } catch (thrown) {
      const error = toWarrenError(thrown, "signalling-unreachable");
      // The user asked to leave, or is already in the room as wanted.
      if (error.code === "connection-closed" || error.code === "already-connected") return;
      if (isShownLastingly(error)) return;
      toast.error(t("toast.joinFailed", { room: profile.get().roomId }), {
        description: errorText(error.describe()),
        durationMs: 12_000,
        ...(error.code === "signalling-unreachable" && {
          action: { label: t("common.tryAgain"), onClick: () => void join() },
        }),
      });
    }
  };

  const editRoom: RoomActions["editRoom"] = async (draft, onSubmit) => {
    const state = room.store.getState();
    const currentRoom = roomIdOf(state);
    const before = profile.get();
    // A password that the room refused is not offered again.
    const refused = state.status === "disconnected" && joinProblemOf(state.error)?.fix === "password";
    const shown = { ...before, ...(refused && { password: null }), ...draft };
    const result = await openDialog(JoinRoomDialog, { details: shown, currentRoom });
    if (result.cancelled) return;
    onSubmit?.(result.value);
    profile.update(result.value);
    const moved = result.value.roomId !== before.roomId || result.value.password !== before.password;
    if (currentRoom !== null && !moved) return;
    room.leave();
    await join();
  };

  const activeTransfers = (): number => [...transfers.store.getState().values()].filter(isMoving).length;

  /** Asks before leaving a room with other members, active transfers or a call. */
  const confirmLeaving = (left: string): Promise<boolean> => {
    const count = activeTransfers();
    const inCall = call.isOngoing ? [t("leave.lineCall")] : [];
    return confirm({
      title: t("leave.title", { room: left }),
      line: t("leave.line"),
      details: [...inCall, ...(count > 0 ? [t("leave.lineActive", { count })] : [])],
      verb: t("leave.confirm"),
    });
  };

  const leave = async (): Promise<void> => {
    const state = room.store.getState();
    const isAsked =
      state.status === "connected" && (activeTransfers() > 0 || Object.keys(peersOf(state)).length > 0);
    if (isAsked && !(await confirmLeaving(state.roomId))) return;
    room.leave();
  };

  const goTo: RoomActions["goTo"] = async ({ roomId, password }, onGo = () => {}) => {
    const state = room.store.getState();
    const currentRoom = roomIdOf(state);
    if (currentRoom === roomId && profile.get().password === password) {
      showRoom(roomId);
      return true;
    }
    const isAsked = currentRoom !== null && (activeTransfers() > 0 || call.isOngoing);
    if (isAsked && !(await confirmLeaving(currentRoom))) return false;
    room.leave();
    onGo();
    profile.update({ roomId, password });
    showRoom(roomId);
    void join();
    return true;
  };

  return {
    join,
    goTo,
    editRoom,
    leave,
    shareRoom: async () => void (await openDialog(ShareRoomDialog, {})),
    showAbout: async (topic) => void (await openDialog(AboutDialog, { topic })),
  };
}
