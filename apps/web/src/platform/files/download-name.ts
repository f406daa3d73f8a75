type Rule = readonly [pattern: RegExp, replacement: string];

/** Spaces in the extension. */
const extensionSpace = /(?<=\.[^.]*) (?=[^.]*$)/g;

/**
 * What a browser changes in a name that is safe already (`safeFileName`), in order. Chromium: `net/base/filename_util.cc` and
 * `base/i18n/file_util_icu.cc`; Firefox: `uriloader/exthandler/nsExternalHelperAppService.cpp`.
 */
const rules = {
  chromium: [
    [/^\.+/, ""],
    [/^[-_]+$/, "download"],
    [/^[~\s]|[~\s]$/g, "_"],
    [/[\p{Cf}\p{Noncharacter_Code_Point}]/gu, "_"],
  ],
  /** There, Chromium replaces types that the shell treats specially. */
  chromiumOnWindows: [[/\.(?:lnk|local|\{[^.]*\})$/i, ".download"]],
  firefox: [
    [/[^\S\u3000]+/g, " "],
    [/^[. \u3000]+/, ""],
    [/%/g, "_"],
    [/\p{Cf}/gu, "_"],
    [extensionSpace, ""],
    [/\.(?:lnk|local|url|scf|desktop)$/i, "$&.download"],
  ],
} satisfies Record<string, readonly Rule[]>;

/** The rules of a browser; none are known of others. */
function rulesOf(userAgent: string): readonly Rule[] {
  if (userAgent.includes("Firefox/")) return rules.firefox;
  if (!userAgent.includes("Chrome/")) return [];
  return userAgent.includes("Windows") ? [...rules.chromium, ...rules.chromiumOnWindows] : rules.chromium;
}

/** The name under which a browser saves a file with a safe name, unless that is taken. */
export function downloadName(name: string, { userAgent }: Pick<Navigator, "userAgent">): string {
  return rulesOf(userAgent).reduce(
    (changed, [pattern, replacement]) => changed.replace(pattern, replacement),
    name,
  );
}
