import type { Profile } from "@warren/core";
import { openDialog } from "../wiring/dialogs/open-dialog.tsx";
import { lazy } from "../wiring/lazy.tsx";
import { useWarren } from "../wiring/warren-context.tsx";

const ProfileDialog = lazy(async () => (await import("./profile-dialog.tsx")).ProfileDialog);

/** Opens the dialog of my name and picture; a name that was typed but not stored is shown in it. */
export function useEditProfile(): (typed?: Partial<Pick<Profile, "name">>) => Promise<void> {
  const { profile } = useWarren();
  return async (typed = {}) => {
    const result = await openDialog(ProfileDialog, { profile: { ...profile.get(), ...typed } });
    if (!result.cancelled) profile.update(result.value);
  };
}
