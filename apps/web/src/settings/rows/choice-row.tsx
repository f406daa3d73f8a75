import { defaultOptions, type Options } from "@warren/core";
import { useId } from "react";
import { useT } from "../../i18n/use-t.ts";
import { Select } from "../../ui/fields/select.tsx";
import { useOptions, useWarren } from "../../wiring/warren-context.ts";
import { labelIdOf, noteIdsOf, SettingRow } from "./setting-row.tsx";

interface Choice<T extends string> {
  readonly value: T;
  readonly label: string;
  /** What it sets, the decisive option first. */
  readonly options: Partial<Options>;
}

interface ChoiceRowProps<T extends string> {
  readonly label: string;
  readonly help: string;
  readonly choices: readonly [Choice<T>, ...Choice<T>[]];
}

/** Several options that depend on each other, as one choice. */
export function ChoiceRow<T extends string>({ label, help, choices }: ChoiceRowProps<T>) {
  const t = useT();
  const id = useId();
  const { settings } = useWarren();
  const current = choiceOf(choices, useOptions());
  const byDefault = choiceOf(choices, defaultOptions);
  return (
    <SettingRow
      id={id}
      label={label}
      help={help}
      byDefault={t("settings.default", { value: byDefault.label })}
      onReset={current === byDefault ? undefined : () => settings.update(byDefault.options)}
      control={
        <span className="shrink-0 md:w-56">
          <Select
            value={current.value}
            options={choices}
            onChange={(value) => {
              for (const choice of choices) if (choice.value === value) settings.update(choice.options);
            }}
            aria-labelledby={labelIdOf(id)}
            aria-describedby={noteIdsOf(id)}
          />
        </span>
      }
    />
  );
}

/** An import may hold a combination that no choice sets; then the decisive option counts. */
function choiceOf<T extends string>(
  choices: readonly [Choice<T>, ...Choice<T>[]],
  options: Options,
): Choice<T> {
  const differences = ({ options: set }: Choice<T>): boolean[] =>
    (Object.keys(set) as (keyof Options)[]).map((name) => options[name] !== set[name]);
  return (
    choices.find((choice) => !differences(choice).includes(true)) ??
    choices.find((choice) => differences(choice)[0] === false) ??
    choices[0]
  );
}
