import type { ConversationId } from "@warren/core";
import { type ReactNode, useEffect, useState } from "react";
import { useT } from "../i18n/use-t.ts";
import { useRoomName } from "../room/room-name.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { PhoneIcon } from "../ui/icons.ts";
import { usePlatform } from "../wiring/platform-context.ts";
import { useRoom, useStore, useWarren } from "../wiring/warren-context.ts";
import { CallHeader } from "./call-header.tsx";
import { OpenCall } from "./open-call.tsx";

interface CallPageProps {
  /** The conversation beside the call. */
  readonly conversation: (id: ConversationId, close: () => void) => ReactNode;
}

/** The page of the call: what everyone shares, my controls, and the conversation in a drawer. */
export default function CallPage({ conversation }: CallPageProps) {
  const t = useT();
  const name = useRoomName();
  const { media } = usePlatform();
  const warren = useWarren();
  const call = useStore(warren.call.store);
  const room = useRoom();
  const isInRoom = room.status === "connected";
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    if (!isInRoom || call !== null) return;
    setFailed(false);
    warren.call.open().catch(() => setFailed(true)); // the room was left meanwhile, or the code cannot be fetched
  }, [warren, isInRoom, call]);
  const empty = (title: string, line: ReactNode) => (
    <div className="flex flex-1 flex-col bg-surface">
      <CallHeader title={name} />
      <div className="flex flex-1 items-center justify-center p-5">
        <EmptyState icon={PhoneIcon} title={title}>
          {line}
        </EmptyState>
      </div>
    </div>
  );
  return (
    <section aria-label={t("call.title")} className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
      {media === null ? (
        empty(
          t("call.noSupport"),
          <>
            {t("call.secureContext")}
            <br />
            {t("unsupported.https")}
          </>,
        )
      ) : !isInRoom ? (
        empty(t("call.noStream"), t("call.noRoomLine"))
      ) : call === null ? (
        hasFailed && empty(t("call.notLoaded"), t("call.notLoadedLine"))
      ) : (
        <OpenCall call={call} conversation={conversation} />
      )}
    </section>
  );
}
