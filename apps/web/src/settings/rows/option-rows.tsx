import { type OptionName, type Options, optionTable } from "@warren/core";
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import type { TextKey } from "../../i18n/messages.ts";
import { useT } from "../../i18n/use-t.ts";
import { Slider } from "../../ui/fields/slider.tsx";
import { Switch } from "../../ui/fields/switch.tsx";
import { FieldBox, FieldInput } from "../../ui/fields/text-field.tsx";
import { printedKeys } from "../../wiring/shortcuts/printed-keys.ts";
import { type NumberOption, numberView } from "./number-view.ts";
import { labelIdOf, noteIdsOf, SettingRow } from "./setting-row.tsx";
import { useSetting } from "./use-setting.ts";

/** The boolean options, without those that are shown as one choice. */
type SwitchOption = {
  [Name in OptionName]: Options[Name] extends boolean
    ? `settings.option.${Name}.help` extends TextKey
      ? Name
      : never
    : never;
}[OptionName];

interface SwitchRowProps {
  readonly name: SwitchOption;
  readonly note?: ReactNode;
  /** Why it has no effect here; shown as off. */
  readonly unavailable?: string | undefined;
}

/** A boolean option. */
export function SwitchRow({ name, note, unavailable }: SwitchRowProps) {
  const t = useT();
  const { value, set, reset } = useSetting(name);
  return (
    <ToggleRow
      label={t(`settings.option.${name}.label`)}
      help={printedKeys(t(`settings.option.${name}.help`))}
      value={value}
      byDefault={optionTable[name].default}
      onChange={set}
      onReset={reset}
      note={note}
      unavailable={unavailable}
    />
  );
}

interface ToggleRowProps {
  readonly label: string;
  readonly help: string;
  readonly value: boolean;
  readonly byDefault: boolean;
  readonly onChange: (value: boolean) => void;
  readonly onReset: () => void;
  readonly note?: ReactNode;
  readonly unavailable?: string | undefined;
}

/** A labelled switch. */
export function ToggleRow({
  label,
  help,
  value,
  byDefault,
  onChange,
  onReset,
  note,
  unavailable,
}: ToggleRowProps) {
  const isAvailable = unavailable === undefined;
  const t = useT();
  const id = useId();
  return (
    <SettingRow
      id={id}
      isLabel
      label={label}
      help={help}
      hint={unavailable}
      byDefault={t("settings.default", { value: byDefault ? t("settings.on") : t("settings.off") })}
      onReset={value === byDefault || !isAvailable ? undefined : onReset}
      note={note}
      control={
        <Switch
          checked={value && isAvailable}
          isFixed={!isAvailable}
          onChange={onChange}
          aria-labelledby={labelIdOf(id)}
          aria-describedby={noteIdsOf(id)}
        />
      }
    />
  );
}

interface NumberRowProps {
  readonly name: NumberOption;
}

/** Shared by rows with numbers: the option in the shown unit, and its default. */
function useNumberRow(name: NumberOption) {
  const t = useT();
  const id = useId();
  const option = useSetting(name);
  const view = numberView(name, t);
  return {
    id,
    view,
    option,
    row: {
      id,
      label: t(`settings.option.${name}.label`),
      help: t(`settings.option.${name}.help`),
      byDefault: t("settings.default", { value: view.text(view.shown(optionTable[name].default)) }),
    },
  };
}

/**
 * A number option with a text field. A valid input is applied at once; an invalid one stays in the field until it is
 * corrected.
 */
export function NumberRow({ name }: NumberRowProps) {
  const { id, view, option, row } = useNumberRow(name);
  const [draft, setDraft] = useState<string>();
  /** The error for the input after it has lost focus. */
  const [problem, setProblem] = useState<string | null>(null);

  const change = (text: string): void => {
    setDraft(text);
    const entered = numberOf(text);
    if (view.problem(entered) !== null) return;
    setProblem(null);
    option.set(view.stored(entered));
  };
  const settle = (): void => {
    if (draft === undefined) return;
    const found = view.problem(numberOf(draft));
    setProblem(found);
    if (found === null) setDraft(undefined);
  };
  const discard = (): void => {
    setDraft(undefined);
    setProblem(null);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter") settle();
    if (event.key !== "Escape" || draft === undefined) return;
    event.preventDefault();
    discard();
  };
  const reset = (): void => {
    option.reset();
    discard();
  };
  return (
    <SettingRow
      {...row}
      hint={problem === null ? view.range : undefined}
      onReset={option.isDefault && problem === null ? undefined : reset}
      error={problem}
      control={
        <span className="shrink-0 md:w-40">
          <FieldBox invalid={problem !== null}>
            <FieldInput
              id={id}
              inputMode="decimal"
              autoComplete="off"
              aria-labelledby={labelIdOf(id)}
              aria-describedby={noteIdsOf(id)}
              aria-invalid={problem !== null || undefined}
              // An external change replaces a valid input, never one being corrected.
              value={draft ?? String(view.shown(option.value))}
              onChange={(event) => change(event.target.value)}
              onBlur={settle}
              onKeyDown={onKeyDown}
              className="tabular-nums"
            />
            {view.unit !== "" && <span className="shrink-0 pr-3 text-compact text-text-3">{view.unit}</span>}
          </FieldBox>
        </span>
      }
    />
  );
}

/** Parses a number with a point or a comma; NaN for any other input. */
function numberOf(text: string): number {
  const written = text.trim().replace(",", ".");
  return /^-?\d+(?:\.\d+)?$/.test(written) ? Number(written) : Number.NaN;
}

/** A number option with a slider, for few steps. */
export function SliderRow({ name }: NumberRowProps) {
  const { id, view, option, row } = useNumberRow(name);
  const shown = view.shown(option.value);
  return (
    <SettingRow
      {...row}
      onReset={option.isDefault ? undefined : option.reset}
      control={
        <Slider
          value={shown}
          min={view.min}
          max={view.max}
          step={1}
          text={view.text(shown)}
          onChange={(next) => option.set(view.stored(next))}
          aria-labelledby={labelIdOf(id)}
          aria-describedby={noteIdsOf(id)}
          className="shrink-0 md:w-56"
        />
      }
    />
  );
}
