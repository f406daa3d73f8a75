import { optionsKey, pictureKey, profileKey, type Warren } from "@warren/core";

/** Applies settings changed in another tab of this browser at once. The theme follows by itself. */
export function followOtherTabs({ settings, profile }: Pick<Warren, "settings" | "profile">): void {
  window.addEventListener("storage", ({ key }) => {
    // A null key means that everything was deleted.
    if (key === optionsKey || key === pictureKey || key === null) settings.reread();
    if (key === profileKey) profile.reread();
  });
}
