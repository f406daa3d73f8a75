import type { Profile } from "@warren/core";
import { openDialog } from "../wiring/dialogs/open-dialog.ts";
import { lazyWithPreload } from "../wiring/lazy-with-preload.ts";
import { useWarren } from "../wiring/warren-context.ts";

const ProfileDialog = lazyWithPreload(() => import("./profile-dialog.tsx"));

/** Opens the dialog of my name and picture; a name that was typed but not stored is shown in it. */
export function useEditProfile(): (typed?: Partial<Pick<Profile, "name">>) => Promise<void> {
  const { profile } = useWarren();
  return async (typed = {}) => {
    const result = await openDialog(ProfileDialog, { profile: { ...profile.get(), ...typed } });
    if (!result.cancelled) profile.update(result.value);
  };
}
