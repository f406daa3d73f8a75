import type { ClientId } from "@warren/protocol";
import { useT } from "../i18n/use-t.ts";
import { usePlatform } from "../wiring/platform-context.ts";
import { toast } from "../wiring/toast.ts";
import { useOptions, useWarren } from "../wiring/warren-context.ts";
import { withErrorToast } from "../wiring/with-error-toast.ts";
import { type DeviceKind, startDevice } from "./local-media.ts";
import { useReportStart } from "./use-report-start.ts";

interface Medium {
  /** Whether the camera is shared as well as the microphone. */
  readonly video: boolean;
}

interface Calling {
  /** Calls one person. */
  call(id: ClientId, medium: Medium): Promise<void>;
  /** Calls everyone who is in the room now. */
  callEveryone(medium: Medium): Promise<void>;
  /** Joins the call of a person, muted if we were muted in the last call; the press is the consent to hear and see. */
  join(from: ClientId, medium: Medium): Promise<void>;
  /** Joins the call that goes on in the room, with the same microphone setting and consent as `join`. */
  joinRoom(medium: Medium): Promise<void>;
}

/** Calls people, and joins their calls: each in one press. */
export function useCalling(): Calling {
  const t = useT();
  const { call: roomCall, chat, room } = useWarren();
  const { media } = usePlatform();
  const options = useOptions();
  const reportStart = useReportStart();

  /** @param audience who gets what is shared; null for everyone in the room */
  const begin = (
    audience: readonly ClientId[] | null,
    { video, isMuted }: Medium & { readonly isMuted: boolean },
  ): Promise<unknown> =>
    withErrorToast(async () => {
      const isWanted = roomCall.beginStart();
      const call = await roomCall.open();
      if (!isWanted()) return;
      call.setAudience(audience);
      call.setAudioEnabled(true);
      call.setVideoEnabled(true);
      const kinds: readonly DeviceKind[] = video ? ["microphone", "camera"] : ["microphone"];
      for (const kind of kinds) {
        if (!isWanted() || media === null) return;
        if (call.store.getState().local.some((source) => source.kind === kind)) continue;
        reportStart(
          await startDevice(call, media, {
            kind,
            options,
            isMuted: isMuted && kind === "microphone",
            isWanted,
          }),
        );
      }
    });
  const ring = async (
    ids: readonly ClientId[],
    { video, toRoom }: Medium & { readonly toRoom: boolean },
  ): Promise<void> => {
    if (media === null) {
      toast.error(t("call.secureContext"), { description: t("unsupported.https") });
      return;
    }
    // A call with one person takes the place of another, whose people would otherwise hear it, or be cut off.
    if (!toRoom) roomCall.leave();
    if (!toRoom) for (const id of ids) chat.acceptContact(id);
    roomCall.ringing.ring(ids, { video, toRoom });
    const { outgoing, partner } = roomCall.ringing.store.getState();
    if (outgoing !== null || partner !== null) await begin(toRoom ? null : ids, { video, isMuted: false });
  };
  return {
    call: (id, { video }) => ring([id], { video, toRoom: false }),
    callEveryone: ({ video }) => ring(room.readyPeers(), { video, toRoom: true }),
    join: async (from, { video }) => {
      const { incoming } = roomCall.ringing.store.getState();
      if (incoming.some((ring) => ring.from === from && !ring.toRoom)) roomCall.leave();
      chat.acceptContact(from);
      const joined = roomCall.ringing.join(from);
      if (joined !== null) await begin(joined.toRoom ? null : [from], { video, isMuted: options.joinMuted });
    },
    joinRoom: async ({ video }) => {
      await begin(null, { video, isMuted: options.joinMuted });
    },
  };
}
