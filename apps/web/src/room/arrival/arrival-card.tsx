import { serverHosts } from "@warren/core";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Passage } from "../../brand/passage.tsx";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { CheckLine } from "../../ui/fields/checkbox.tsx";
import { useMediaQuery } from "../../ui/hooks/use-media-query.ts";
import { LockIcon, OpensMenuIcon, PeopleIcon } from "../../ui/icons.ts";
import { focusPageField } from "../../ui/overlays/focus-page-field.ts";
import { Menu } from "../../ui/overlays/menu.tsx";
import { useProfile, useRoom, useWarren } from "../../wiring/warren-context.ts";
import type { Invite } from "../join/invite.ts";
import { JoinButton } from "../join/join-button.tsx";
import { JoinProblemField } from "../join/join-problem-field.tsx";
import { usePasswordDraft } from "../join/use-password-draft.ts";
import { useWaitingLine } from "../join/use-waiting-line.ts";
import { LocalNetworkHint } from "../local-network-hint.tsx";
import { useRoomName } from "../room-name.ts";
import { RoomSwitcherItems } from "../rooms/room-switcher.tsx";
import { useRoomActions } from "../use-room-actions.ts";
import { ArrivalFrame } from "./arrival-frame.tsx";
import { NameField } from "./name-field.tsx";
import { OwnPictureButton } from "./own-picture-button.tsx";
import { useNameDraft } from "./use-name-draft.ts";

export interface ArrivalCardProps {
  /** The link's invite; null for the stored room. */
  readonly invite?: Invite | null;
  /** Called before joining: the user accepts the invite, with or without its servers, for this room. */
  readonly onAccept?: (answer: { readonly roomId: string; readonly useServers: boolean }) => void;
  readonly onDecline?: () => void;
}

/** First run and confirmation in one: my name, the room, Join. */
export function ArrivalCard({ invite = null, onAccept, onDecline }: ArrivalCardProps) {
  const t = useT();
  const format = useFormat();
  const { profile: profiles, room: rooms } = useWarren();
  const profile = useProfile();
  const roomName = useRoomName();
  const room = useRoom();
  const { join, editRoom } = useRoomActions();
  const name = useNameDraft();
  const passwordDraft = usePasswordDraft();
  const waitingLine = useWaitingLine();
  const [useServers, setUseServers] = useState(true);
  const [checked, setChecked] = useState(false);
  const nameField = useFocusWithoutTouch(passwordDraft.problem === null);
  const { roomId, password } = invite ?? profile;
  const isConnecting = room.status === "connecting";

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setChecked(true);
    if (!name.isValid || room.status === "connecting" || room.status === "connected") return;
    const change = passwordDraft.change();
    if (change === null) return;
    onAccept?.({ roomId, useServers });
    profiles.update({ name: name.name, ...change });
    void join();
  };
  const openForm = (): void => {
    const draft = invite === null ? {} : { roomId, password };
    void editRoom(draft, (details) => {
      if (name.isValid) profiles.update({ name: name.name });
      onAccept?.({ roomId: details.roomId, useServers });
    });
  };

  return (
    <form
      noValidate
      onSubmit={submit}
      className="on-picture flex w-full max-w-[376px] flex-col items-center text-center [--picture-inset:20px]"
    >
      <Passage
        from={<OwnPictureButton draft={name} isFixed={isConnecting} />}
        to={<PeopleIcon size={22} />}
      />
      <h1 className="mt-7 max-w-full break-words text-display">
        {t("arrival.title", { room: invite === null ? roomName : roomId })}
      </h1>
      <p className="mt-1.5 max-w-[340px] text-balance break-keep wrap-anywhere text-body-lg text-text-2">
        {t("arrival.line")}
      </p>
      <div className="mt-7 flex w-full flex-col gap-4 text-left">
        <NameField ref={nameField} draft={name} checked={checked} />
        <JoinProblemField draft={passwordDraft} />
        {invite?.newServers && (
          <CheckLine checked={useServers} onChange={setUseServers}>
            {t("arrival.serversFromLink", { host: format.items(serverHosts(invite.newServers)) })}
          </CheckLine>
        )}
        <JoinButton type="submit">{t("arrival.join")}</JoinButton>
      </div>
      <LocalNetworkHint className="mt-3 text-balance" />
      {isConnecting ? (
        <Button variant="ghost" size="sm" className="mt-3" onClick={() => rooms.leave()}>
          {t("arrival.leaveWhileConnecting")}
        </Button>
      ) : (
        <div className="mt-3 flex flex-wrap justify-center">
          <Button variant="ghost" size="sm" onClick={openForm}>
            {t("join.edit")}
          </Button>
          {invite === null ? (
            <Menu
              align="center"
              trigger={
                <Button variant="ghost" size="sm">
                  {t("rooms.other")}
                  <OpensMenuIcon size={16} />
                </Button>
              }
            >
              <RoomSwitcherItems />
            </Menu>
          ) : (
            <Button variant="ghost" size="sm" onClick={onDecline}>
              {t("arrival.notNow")}
            </Button>
          )}
        </div>
      )}
      {/* One takes the place of the other, below what can be pressed. */}
      <p role="status" className="mt-5 text-balance text-meta text-text-2 empty:hidden">
        {waitingLine}
      </p>
      {waitingLine === null && passwordDraft.problem === null && (
        <p className="mt-5 text-balance text-meta text-text-3">
          {password !== null && <LockIcon size={14} className="mr-2 inline stroke-[1.75] align-[-2px]" />}
          {t(passwordLine(password !== null, invite?.passwordFromLink ?? false))}
        </p>
      )}
    </form>
  );
}

/** Whether the room has a password is only known inside it: if we have none, it may ask for one. */
function passwordLine(hasPassword: boolean, fromLink: boolean) {
  if (!hasPassword) return "arrival.passwordUnknown";
  return fromLink ? "arrival.passwordFromLink" : "arrival.passwordSet";
}

/** Focuses a field, unless that would open an on-screen keyboard. */
function useFocusWithoutTouch(isWanted: boolean) {
  const field = useRef<HTMLInputElement>(null);
  const isTouch = useMediaQuery("(pointer: coarse)");
  useEffect(() => {
    if (!isWanted || isTouch) return;
    // With the frame, whose layout it needs: at once, it would lay the page out before it is rendered to its end.
    const frame = requestAnimationFrame(() => {
      if (field.current) focusPageField(field.current);
    });
    return () => cancelAnimationFrame(frame);
  }, [isWanted, isTouch]);
  return field;
}

/** The page for a user with a room to join, from a link or from before. `children` are further ways to meet. */
export function ArrivalPage({ children, ...props }: ArrivalCardProps & { readonly children?: ReactNode }) {
  const t = useT();
  const roomName = useRoomName();
  return (
    <ArrivalFrame title={t("arrival.title", { room: props.invite?.roomId ?? roomName })}>
      <div className="flex w-full max-w-[376px] flex-col gap-8">
        <ArrivalCard {...props} />
        {children}
      </div>
    </ArrivalFrame>
  );
}

/** The card inside a pane instead of on its own page. */
export function ArrivalPane({ children }: { readonly children: ReactNode }) {
  return (
    <div className="picture-window flex min-h-0 min-w-0 flex-1 overflow-y-auto bg-surface px-5 py-8">
      <div className="mx-auto flex w-full max-w-[376px] flex-col gap-8 md:pt-[9dvh]">{children}</div>
    </div>
  );
}
