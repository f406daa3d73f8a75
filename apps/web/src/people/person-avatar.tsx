import type { OnlineStatus } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { isSafePicture } from "../pictures/safe-picture.ts";
import { PeopleIcon } from "../ui/icons.ts";
import { useOption, useProfile } from "../wiring/warren-context.ts";
import { Avatar } from "./avatar.tsx";
import { usePerson } from "./use-person.ts";

interface PersonAvatarProps {
  readonly id: string;
  readonly name: string;
  /** The picture received from the person, or null for initials. */
  readonly avatar: string | null;
  /** Edge in px. */
  readonly size: number;
  readonly status?: OnlineStatus | undefined;
  readonly className?: string;
}

/** The picture or initials of another person. Anything but a safe picture is replaced by initials. */
export function PersonAvatar({ id, avatar, ...rest }: PersonAvatarProps) {
  return <Avatar id={id} src={isSafePicture(avatar) ? avatar : null} {...rest} />;
}

/** As {@link PersonAvatar}, of whom only the id is known. */
export function AvatarById({ id, size }: { readonly id: ClientId; readonly size: number }) {
  const { name, avatar } = usePerson(id);
  return <PersonAvatar id={id} name={name} avatar={avatar} size={size} />;
}

interface OwnAvatarProps {
  readonly size: number;
  readonly status?: OnlineStatus | undefined;
  /** Shown instead of the profile's name while it is being edited. */
  readonly name?: string;
  readonly className?: string;
}

/** A service that renders initials as a picture. */
const avatarService = "https://api.dicebear.com/9.x/initials/svg?seed=";

/** My own picture or initials. */
export function OwnAvatar({ name, ...rest }: OwnAvatarProps) {
  const profile = useProfile();
  const isAsked = useOption("avatarService");
  const shownName = name ?? profile.name;
  const src = profile.avatar ?? (isAsked ? avatarService + encodeURIComponent(shownName) : null);
  return <Avatar id={profile.clientId} name={shownName} src={src} {...rest} />;
}

/** The tile for everyone in the room. */
export function EveryoneAvatar({ size }: { readonly size: number }) {
  return (
    <span
      aria-hidden="true"
      style={{ width: size, height: size }}
      className="inline-flex shrink-0 items-center justify-center rounded-full bg-accent-soft text-accent-text"
    >
      <PeopleIcon size={Math.round(size / 2.2)} />
    </span>
  );
}
