import { type Call, type ConversationId, everyone } from "@warren/core";
import { type ReactNode, Suspense, useEffect, useState } from "react";
import { useT } from "../i18n/use-t.ts";
import { firstNameOf } from "../people/shown-name.ts";
import { useName } from "../people/use-person.ts";
import { useRoomName } from "../room/room-name.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { useBreakpoint, useIsLow } from "../ui/hooks/use-media-query.ts";
import { useStore } from "../wiring/warren-context.ts";
import { CallControls } from "./call-controls.tsx";
import { CallHeader } from "./call-header.tsx";
import { CallHint } from "./call-hint.tsx";
import { PrivateLine, RoomLine } from "./call-lines.tsx";
import { DrawerButton, drawerId } from "./drawer-button.tsx";
import { EmptyStage } from "./empty-stage.tsx";
import { Stage } from "./stage/stage.tsx";
import { focusedItem, isShown, pairOf, stageItems } from "./stage/stage-items.ts";
import { TileOptions } from "./stage/tile-options.tsx";
import { usePrivateCall } from "./use-private-call.ts";

interface OpenCallProps {
  readonly call: Call;
  /** The conversation beside the call. */
  readonly conversation: (id: ConversationId, close: () => void) => ReactNode;
}

/** What lies over a face that fills the page: the header, and the controls at the foot or, on a phone that lies, at the side. */
const underBars =
  "[--stage-bottom:calc(68px+max(16px,env(safe-area-inset-bottom)))] [--stage-top:56px] low:[--stage-bottom:0px] low:[--stage-right:80px] low:[--stage-top:48px]";

/** What everyone shares, my controls, and the conversation in a drawer. */
export function OpenCall({ call, conversation }: OpenCallProps) {
  const t = useT();
  const roomName = useRoomName();
  const state = useStore(call.store);
  const [chosen, setChosen] = useState<string | "grid" | null>(null);
  const [isWhole, setWhole] = useState(false);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const isPhone = useBreakpoint() === "phone";
  const isLow = useIsLow();
  const privateCall = usePrivateCall(call);
  const other = privateCall?.other ?? null;
  const otherName = useName(other ?? "");
  const conversationId = other ?? everyone;
  const note = {
    calling: t("call.ring.calling", { names: firstNameOf(otherName) }),
    connecting: t("call.connecting"),
    talking: null,
  };
  const items = stageItems(state, other);
  const focused = focusedItem(items, chosen);
  // A focused screen keeps the focus when someone shares another.
  if (focused !== null && focused.id !== chosen) setChosen(focused.id);
  const pair = focused === null ? pairOf(items) : null;
  // Where the drawer takes the place of the stage, nothing shows beside it.
  const isFilled = pair !== null && !(isDrawerOpen && (isPhone || isLow));
  const isOverPicture = isFilled && pair.large.picture !== null && isShown(pair.large.picture);
  const hasScreen = focusedItem(items, null) !== null;
  // Opening the stage enables pictures; sound needs a click of its own.
  useEffect(() => call.setVideoEnabled(true), [call]);
  return (
    <div
      className={cx(
        "grid min-h-0 min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto_auto] grid-rows-[minmax(0,1fr)_auto]",
        isFilled && underBars,
      )}
    >
      <div
        className={cx(
          "relative col-start-1 row-start-1 flex min-h-0 min-w-0 flex-col low:row-end-3",
          isFilled && "row-end-3 low:col-end-3",
        )}
      >
        <CallHeader
          title={other === null ? roomName : otherName}
          line={
            privateCall === null ? <RoomLine call={call} /> : <PrivateLine call={call} {...privateCall} />
          }
          isFloating={isFilled}
          isOverPicture={isOverPicture}
        >
          {!isPhone && <CallHint call={call} isEmpty={items.length === 0} className="shrink" />}
          {items.length > 1 && (focused !== null || hasScreen) && (
            <Button
              variant="ghost"
              aria-pressed={focused === null}
              onClick={() => setChosen(focused === null ? null : "grid")}
            >
              {t(focused === null ? "call.speaker" : "call.grid")}
            </Button>
          )}
          {pair !== null && (
            <TileOptions
              call={call}
              item={pair.large}
              size="md"
              isOverPicture={isOverPicture}
              crop={{ isWhole, setWhole }}
            />
          )}
          <DrawerButton
            conversationId={conversationId}
            isOpen={isDrawerOpen}
            isOverPicture={isOverPicture}
            onClick={() => setDrawerOpen(!isDrawerOpen)}
          />
        </CallHeader>
        <div className={cx("flex min-h-0 min-w-0 flex-1 flex-col", !isFilled && "relative")}>
          {items.length === 0 ? (
            <EmptyStage />
          ) : (
            <Stage
              call={call}
              items={items}
              focused={focused}
              pair={pair}
              isWhole={isWhole}
              onFocus={setChosen}
              privateCall={privateCall && { note: note[privateCall.phase] }}
            />
          )}
          {isPhone && (
            <CallHint
              call={call}
              isEmpty={items.length === 0}
              className="pointer-events-none absolute right-[calc(var(--stage-right,0px)+12px)] bottom-[calc(var(--stage-bottom,0px)+8px)] left-3"
            />
          )}
        </div>
      </div>
      <CallControls call={call} />
      {isDrawerOpen && (
        <div
          id={drawerId}
          className="col-start-3 row-start-1 row-end-3 flex min-h-0 w-[380px] border-line border-l max-lg:w-[320px] max-md:z-header max-md:col-start-1 max-md:row-end-2 max-md:w-full max-md:border-l-0 low:z-header low:col-start-1 low:row-end-3 low:w-full low:border-l-0"
        >
          <Suspense fallback={null}>{conversation(conversationId, () => setDrawerOpen(false))}</Suspense>
        </div>
      )}
    </div>
  );
}
