import type { Options, Profile } from "@warren/core";
import type { Theme } from "../ui/use-theme.ts";
import { type ReadSettingsFile, type SettingsInFile, withOwnSecrets } from "./settings-file.ts";

/** The changes an import would make. */
export interface ImportPlan {
  readonly change: SettingsInFile;
  /** The names of options, and of fields of the profile, that would change. */
  readonly changed: readonly string[];
}

/** Compares the settings read from a file with the current ones. */
export function planImport(
  read: ReadSettingsFile,
  now: { readonly options: Options; readonly profile: Profile; readonly theme: Theme },
): ImportPlan {
  const { servers } = read.options;
  const given = {
    ...read.options,
    ...(servers !== undefined && { servers: withOwnSecrets(servers, now.options.servers) }),
  };
  const options = differing(given, now.options);
  const profile = differing(read.profile, now.profile);
  const theme = read.theme === now.theme ? undefined : read.theme;
  return {
    change: { options, profile, ...(theme !== undefined && { theme }) },
    changed: [...Object.keys(options), ...Object.keys(profile), ...(theme === undefined ? [] : ["theme"])],
  };
}

/** The fields of `given` that differ from `now`. */
function differing<T extends object>(given: Partial<T>, now: T): Partial<T> {
  const present = new Map(Object.entries(now));
  const changed = Object.entries(given).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(present.get(name)),
  );
  return Object.fromEntries(changed) as Partial<T>;
}
