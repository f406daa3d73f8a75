import { isOptionName } from "@warren/core";
import { truncated } from "@warren/protocol";
import type { Translate } from "../../i18n/messages.ts";

const profileWords = {
  name: "profileName",
  roomId: "profileRoom",
  avatar: "profilePicture",
  password: "profilePassword",
} as const;

/** The label of an option or profile field; an unknown name unchanged, truncated if long. */
export function settingLabel(name: string, t: Translate): string {
  if (isOptionName(name) || name === "theme" || name === "autoJoin")
    return t(`settings.option.${name}.label`);
  return isProfileWord(name) ? t(`settingsAdvanced.${profileWords[name]}`) : truncated(name, 40);
}

function isProfileWord(name: string): name is keyof typeof profileWords {
  return Object.hasOwn(profileWords, name);
}
