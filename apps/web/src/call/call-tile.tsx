import { type Call, isTakingPart } from "@warren/core";
import { useLocation } from "wouter";
import { paths } from "../wiring/paths.ts";
import { useOptionalStore, useStore, useWarren } from "../wiring/warren-context.ts";
import { FloatingFrame } from "./floating/floating-frame.tsx";
import { OfferedCall } from "./floating/offered-call.tsx";
import { OngoingCall } from "./floating/ongoing-call.tsx";
import { useShownItem } from "./floating/use-shown-item.ts";
import { useUnansweredRing } from "./use-unanswered-ring.ts";

/**
 * The call on every page but its own: an outgoing call, the call that we are in, or a call of others that we may join. The tile floats
 * over the page, which does not move, and can be dragged; on a small screen it is a bar.
 */
export default function CallTile({ call }: { readonly call: Call | null }) {
  const isOnStage = useLocation()[0] === paths.call.path;
  const { incoming, outgoing } = useStore(useWarren().call.ringing.store);
  const isIn = useOptionalStore(call?.store, isTakingPart) === true;
  const isOffered = useOptionalStore(call?.store, ({ remote }) => remote.length > 0) === true;
  const ring = useUnansweredRing(call);
  const item = useShownItem(call);
  // Who rings has a card.
  if (isOnStage || !(outgoing !== null || isIn || (isOffered && incoming.length === 0))) return null;
  return (
    <FloatingFrame>
      {(floating) =>
        ring !== null || item !== null ? (
          <OngoingCall call={call} ring={ring} item={item} floating={floating} />
        ) : (
          call !== null && <OfferedCall call={call} isBar={floating.isBar} />
        )
      }
    </FloatingFrame>
  );
}
