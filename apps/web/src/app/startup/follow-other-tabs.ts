import { optionsKey, profileKey, type Warren } from "@warren/core";

/** Takes over at once what another tab of this browser has changed in the settings. The theme follows by itself. */
export function followOtherTabs({ settings, profile }: Pick<Warren, "settings" | "profile">): void {
  window.addEventListener("storage", ({ key }) => {
    // No key: everything was deleted.
    if (key === optionsKey || key === null) settings.reread();
    if (key === profileKey) profile.reread();
  });
}
