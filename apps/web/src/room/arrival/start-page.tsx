import { type ReactNode, useState } from "react";
import { Passage } from "../../brand/passage.tsx";
import { useT } from "../../i18n/use-t.ts";
import { Button, GuardedButton } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { AddIcon, PeopleIcon } from "../../ui/icons.ts";
import { useOption, useRoomStatus, useWarren } from "../../wiring/warren-context.ts";
import { AddressForm } from "../join/address-form.tsx";
import { JoinButton } from "../join/join-button.tsx";
import { useOpenLink } from "../join/open-link.ts";
import { useNewRoom } from "../join/use-new-room.ts";
import { useWaitingLine } from "../join/use-waiting-line.ts";
import { useRoomActions } from "../use-room-actions.ts";
import { ArrivalFrame } from "./arrival-frame.tsx";
import { NameField } from "./name-field.tsx";
import { OwnPictureButton } from "./own-picture-button.tsx";
import { useNameDraft } from "./use-name-draft.ts";

/**
 * The page of a first visit: what Warren is, a new room with one click, or joining by link or code.
 * @param children further ways to meet
 */
export function StartPage({ children }: { readonly children?: ReactNode }) {
  const t = useT();
  const { profile: profiles, room: rooms } = useWarren();
  const status = useRoomStatus();
  const { editRoom } = useRoomActions();
  const newRoom = useNewRoom();
  const waitingLine = useWaitingLine();
  const name = useNameDraft();
  const [checked, setChecked] = useState(false);
  const openLink = useOpenLink();
  const isConnecting = status === "connecting";
  // On a phone, who is nearby would be below the screen. It does not move under the finger that turns it on.
  const [wasNearby] = useState(useOption("nearby"));

  /**
   * Stores the name.
   * @returns whether there is one.
   */
  const storeName = (): boolean => {
    setChecked(true);
    if (name.isValid) profiles.update({ name: name.name });
    return name.isValid;
  };
  const start = (): void => {
    if (!isConnecting && storeName()) newRoom.create();
  };

  return (
    <ArrivalFrame title={t("start.title")} note={t("firstSteps.limits")}>
      <div className="on-picture flex w-full max-w-[376px] flex-col items-center text-center [--picture-inset:20px] lg:max-w-[792px]">
        <Passage
          from={<OwnPictureButton draft={name} isFixed={isConnecting} />}
          to={<PeopleIcon size={22} />}
        />
        <h1 className="mt-7 max-w-full text-balance text-display">{t("start.title")}</h1>
        <p className="mt-1.5 text-balance break-keep wrap-anywhere text-body-lg text-text-2">
          {t("start.line")}
        </p>
        <div className="mt-7 grid w-full grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-6 text-left lg:grid-cols-2">
          <div className="flex flex-col gap-3">
            <NameField draft={name} checked={checked} />
            <JoinButton icon={AddIcon} onClick={start}>
              {t("start.newRoom")}
            </JoinButton>
            <div className="flex flex-col items-start gap-1">
              <p role="status" className="text-meta text-text-2">
                {waitingLine ?? t("start.newRoomLine")}
              </p>
              {isConnecting ? (
                <Button
                  variant="accent-text"
                  size="sm"
                  className="-ml-2.5 touch:-ml-3"
                  onClick={() => rooms.leave()}
                >
                  {t("arrival.leaveWhileConnecting")}
                </Button>
              ) : (
                <Button
                  variant="accent-text"
                  size="sm"
                  className="-ml-2.5 touch:-ml-3"
                  onClick={() => storeName() && void newRoom.choose()}
                >
                  {t("start.otherRoom")}
                </Button>
              )}
            </div>
          </div>
          <div className="flex flex-col gap-3 max-lg:border-t max-lg:border-line max-lg:pt-5">
            <AddressForm onLink={openLink} mayJoin={() => !isConnecting && storeName()} />
            <GuardedButton
              variant="accent-text"
              size="sm"
              className="-ml-2.5 self-start touch:-ml-3"
              disabledReason={isConnecting ? t("start.afterJoining") : undefined}
              onClick={() => storeName() && void editRoom()}
            >
              {t("start.byName")}
            </GuardedButton>
          </div>
          <div className={cx("min-w-0 lg:col-span-2", wasNearby && "max-lg:order-first")}>{children}</div>
        </div>
      </div>
    </ArrivalFrame>
  );
}
