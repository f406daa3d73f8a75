import { displayNameSchema, limits, v } from "@warren/protocol";
import type { Ref } from "react";
import { currentLocale } from "../../i18n/i18n.ts";
import { useT } from "../../i18n/use-t.ts";
import { suggestName } from "../../people/nicknames.ts";
import { TextField } from "../../ui/fields/text-field.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { RefreshIcon } from "../../ui/icons.ts";
import { useProfile, useWarren } from "../../wiring/warren-context.ts";
import type { useNameDraft } from "./use-name-draft.ts";

interface NameFieldProps {
  readonly draft: ReturnType<typeof useNameDraft>;
  /** Whether a missing name is reported; only after the user has tried to continue without one. */
  readonly checked: boolean;
  readonly ref?: Ref<HTMLInputElement>;
}

/** My name, with a button that suggests another one. */
export function NameField({ draft: { name, setName, isValid }, checked, ref }: NameFieldProps) {
  const t = useT();
  const { profile } = useWarren();
  const storedName = useProfile().name;
  /** Before any room is joined: people nearby see it at once. */
  const store = (name: string): void => {
    if (name !== storedName && v.is(displayNameSchema, name)) profile.update({ name });
  };
  const suggest = (): void => {
    const suggested = suggestName(currentLocale());
    setName(suggested);
    store(suggested);
  };
  return (
    <TextField
      large
      ref={ref}
      label={t("arrival.name")}
      value={name}
      onChange={(event) => setName(event.target.value)}
      onBlur={() => store(name)}
      maxLength={limits.nameLength}
      autoComplete="nickname"
      required
      error={checked && !isValid ? t("arrival.nameRequired") : undefined}
      end={<IconButton icon={RefreshIcon} label={t("arrival.newName")} onClick={suggest} />}
    />
  );
}
