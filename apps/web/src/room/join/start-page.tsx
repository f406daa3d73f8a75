import { type ReactNode, useState } from "react";
import { useT } from "../../i18n/use-t.ts";
import { OwnAvatar } from "../../people/client-avatar.tsx";
import { useEditProfile } from "../../people/use-edit-profile.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { AddIcon, InfoIcon, PeopleIcon } from "../../ui/icons.ts";
import { Passage } from "../../ui/passage.tsx";
import { useOption, useRoomStatus, useWarren } from "../../wiring/warren-context.tsx";
import { useRoomActions } from "../use-room-actions.ts";
import { AddressForm } from "./address-form.tsx";
import { ArrivalFrame } from "./arrival-frame.tsx";
import { JoinButton, useWaitingLine } from "./join-button.tsx";
import { NameField, useNameDraft } from "./name-field.tsx";
import { useOpenLink } from "./open-link.ts";
import { useNewRoom } from "./use-new-room.ts";

/**
 * The page of a first visit: what Warren is, a new room with one click, or joining by link or code.
 * @param children further ways to meet
 */
export function StartPage({ children }: { readonly children?: ReactNode }) {
  const t = useT();
  const { profile: profiles, room: rooms } = useWarren();
  const status = useRoomStatus();
  const { editRoom } = useRoomActions();
  const editProfile = useEditProfile();
  const newRoom = useNewRoom();
  const waitingLine = useWaitingLine();
  const name = useNameDraft();
  const [checked, setChecked] = useState(false);
  const openLink = useOpenLink();
  const connecting = status === "connecting";
  // On a phone, who is nearby would be below the screen. It does not move under the finger that turns it on.
  const [wasNearby] = useState(useOption("nearby"));

  /**
   * Stores the name.
   * @returns whether there is one.
   */
  const keepName = (): boolean => {
    setChecked(true);
    if (name.isValid) profiles.update({ name: name.name });
    return name.isValid;
  };
  const start = (): void => {
    if (!connecting && keepName()) newRoom.create();
  };

  return (
    <ArrivalFrame title={t("start.title")} saysWhereKept>
      <div className="on-picture grid w-full max-w-[376px] grid-cols-[minmax(0,1fr)] gap-10 [--picture-inset:20px] lg:max-w-[860px] lg:grid-cols-[376px_1fr] lg:items-center lg:gap-20">
        <div className="flex flex-col items-center text-center">
          <Passage from={<OwnAvatar size={52} name={name.name} />} to={<PeopleIcon size={22} />} />
          <h1 className="mt-7 text-display">{t("start.title")}</h1>
          <p className="mt-1.5 max-w-[340px] text-balance text-body-lg text-text-2">{t("start.line")}</p>
          <div className="mt-7 flex w-full flex-col gap-4 text-left">
            <NameField draft={name} checked={checked} />
            <div>
              <JoinButton icon={AddIcon} onClick={start}>
                {t("start.newRoom")}
              </JoinButton>
              <p role="status" className="mt-1.5 text-center text-meta text-text-3">
                {waitingLine ?? t("start.newRoomLine")}
              </p>
              {!connecting && (
                <p className="mt-1 text-center">
                  <Button variant="ghost" size="sm" onClick={() => keepName() && void newRoom.choose()}>
                    {t("start.otherRoom")}
                  </Button>
                </p>
              )}
            </div>
            <AddressForm
              onLink={openLink}
              mayJoin={() => !connecting && keepName()}
              className="border-t border-line pt-4"
            />
          </div>
          {connecting ? (
            <Button variant="ghost" size="sm" className="mt-3" onClick={() => rooms.leave()}>
              {t("arrival.leaveWhileConnecting")}
            </Button>
          ) : (
            <div className="mt-3 flex flex-wrap justify-center">
              <Button
                variant="ghost"
                size="sm"
                onClick={() => void editProfile(name.isValid ? { name: name.name } : {})}
              >
                {t("arrival.picture")}
              </Button>
              <Button variant="ghost" size="sm" onClick={() => keepName() && void editRoom()}>
                {t("start.byName")}
              </Button>
            </div>
          )}
        </div>
        <div className={cx("flex min-w-0 flex-col gap-5", wasNearby && "max-lg:order-first")}>
          {children}
          <p className="flex gap-2 px-1 text-meta text-text-2">
            <InfoIcon size={16} className="shrink-0" />
            {t("firstSteps.limits")}
          </p>
        </div>
      </div>
    </ArrivalFrame>
  );
}
