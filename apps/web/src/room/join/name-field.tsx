import { displayNameSchema, limits, v } from "@warren/protocol";
import { type Ref, useEffect, useState } from "react";
import { currentLocale } from "../../i18n/i18n.ts";
import { useT } from "../../i18n/use-t.ts";
import { suggestName } from "../../people/nicknames.ts";
import { TextField } from "../../ui/fields/text-field.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { RefreshIcon } from "../../ui/icons.ts";
import { useProfile, useWarren } from "../../wiring/warren-context.tsx";

/** The draft of my name before joining. */
export function useNameDraft() {
  const profile = useProfile();
  const [name, setName] = useState(profile.name);
  // The join form and other tabs change it too.
  useEffect(() => setName(profile.name), [profile.name]);
  return { name, setName, isValid: v.is(displayNameSchema, name) };
}

interface NameFieldProps {
  readonly draft: ReturnType<typeof useNameDraft>;
  /** Whether a missing name is reported; only after the user has tried to continue without one. */
  readonly checked: boolean;
  readonly ref?: Ref<HTMLInputElement>;
}

/** My name, with a button that suggests another one. */
export function NameField({ draft: { name, setName, isValid }, checked, ref }: NameFieldProps) {
  const t = useT();
  const { profile, settings } = useWarren();
  /** People nearby see it at once. */
  const show = (shown: string): void => {
    if (settings.get().nearby && v.is(displayNameSchema, shown)) profile.update({ name: shown });
  };
  const suggest = (): void => {
    const suggested = suggestName(currentLocale());
    setName(suggested);
    show(suggested);
  };
  return (
    <TextField
      large
      ref={ref}
      label={t("arrival.name")}
      value={name}
      onChange={(event) => setName(event.target.value)}
      onBlur={() => show(name)}
      maxLength={limits.nameLength}
      autoComplete="nickname"
      required
      error={checked && !isValid ? t("arrival.nameRequired") : undefined}
      end={<IconButton icon={RefreshIcon} label={t("arrival.newName")} onClick={suggest} />}
    />
  );
}
