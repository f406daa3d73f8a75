import { type OptionName, type Options, optionTable } from "@warren/core";
import { useOption, useOptions, useWarren } from "../../wiring/warren-context.ts";

/** An option as shown in a row of the settings. */
export interface Setting<T> {
  readonly value: T;
  readonly isDefault: boolean;
  set(value: T): void;
  reset(): void;
}

/** An option with its default; re-renders when it changes. */
export function useSetting<Name extends OptionName>(name: Name): Setting<Options[Name]> {
  const { settings } = useWarren();
  const value = useOption(name);
  return {
    value,
    isDefault: isSame(value, optionTable[name].default),
    set: (next) => settings.set(name, next),
    reset: () => settings.reset(name),
  };
}

/** True where one of the options differs from its default, otherwise undefined. */
export function useAreChanged(names: readonly OptionName[]): true | undefined {
  const options = useOptions();
  return names.some((name) => !isSame(options[name], optionTable[name].default)) || undefined;
}

/**
 * Values of options are JSON. Most are primitive, and serializing the long text of a picture to compare it is
 * avoided.
 */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || (typeof one === "object" && JSON.stringify(one) === JSON.stringify(other));
}
