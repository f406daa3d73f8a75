import { useT } from "../../i18n/use-t.ts";
import { OwnAvatar } from "../../people/person-avatar.tsx";
import { useEditProfile } from "../../people/use-edit-profile.ts";
import { PhotoIcon } from "../../ui/icons.ts";
import type { useNameDraft } from "./use-name-draft.ts";

interface OwnPictureButtonProps {
  readonly draft: ReturnType<typeof useNameDraft>;
  /** Not while joining with the picture there is. */
  readonly isFixed: boolean;
}

/** My picture before joining; pressing it changes it. */
export function OwnPictureButton({ draft: { name, isValid }, isFixed }: OwnPictureButtonProps) {
  const t = useT();
  const editProfile = useEditProfile();
  const avatar = <OwnAvatar size={52} name={name} />;
  if (isFixed) return avatar;
  return (
    <button
      type="button"
      aria-label={t("arrival.picture")}
      title={t("arrival.picture")}
      className="relative rounded-full transition-opacity hover:opacity-80"
      onClick={() => void editProfile(isValid ? { name } : {})}
    >
      {avatar}
      <span className="absolute -right-1 -bottom-1 flex size-6 items-center justify-center rounded-full bg-raised text-text-2 shadow-[0_0_0_1px_var(--line-2)]">
        <PhotoIcon size={13} />
      </span>
    </button>
  );
}
