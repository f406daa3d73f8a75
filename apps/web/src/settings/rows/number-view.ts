import { type OptionName, type Options, type OptionUnit, optionTable } from "@warren/core";
import { roundLimit } from "../../i18n/format.ts";
import type { Translate } from "../../i18n/messages.ts";

/** The options that are numbers. */
export type NumberOption = { [Name in OptionName]: Options[Name] extends number ? Name : never }[OptionName];

type Unit = "kibibytes" | "gigabytes" | "channels" | "chunks" | "level" | "megabits" | "kilobits" | "percent";

interface NumberView {
  readonly unit: Unit;
  /** One display unit, in the option's own unit. */
  readonly perUnit: number;
  readonly isWhole: boolean;
  /** The value that is said for a value. */
  readonly round?: (value: number) => number;
}

const megabits: NumberView = { unit: "megabits", perUnit: 1_000_000, isWhole: false };

const byUnit: Record<OptionUnit, NumberView> = {
  bytes: { unit: "kibibytes", perUnit: 1024, isWhole: true },
  channels: { unit: "channels", perUnit: 1, isWhole: true },
  chunks: { unit: "chunks", perUnit: 1, isWhole: true },
  level: { unit: "level", perUnit: 1, isWhole: true },
  bitsPerSecond: megabits,
  fraction: { unit: "percent", perUnit: 0.01, isWhole: true },
};

const exceptions: Partial<Record<NumberOption, NumberView>> = {
  maxFileSize: { unit: "gigabytes", perUnit: 1_000_000_000, isWhole: false, round: roundLimit },
  audioMaxBitrate: { unit: "kilobits", perUnit: 1_000, isWhole: true },
};

/** How a number option is shown: its display unit, its range in it, and conversion both ways. */
export interface NumberOptionView {
  readonly min: number;
  readonly max: number;
  /** A value of the option in the display unit. */
  shown(value: number): number;
  /** A value in the display unit, converted for storing. */
  stored(shown: number): number;
  /** The value with its unit: "512 KiB". */
  text(shown: number): string;
  /** The unit alone: "KiB"; empty for plain counts. */
  readonly unit: string;
  /** "From 1 MB to 1,000 GB." */
  readonly range: string;
  /** The error in the typed text; null if there is none. */
  problem(shown: number): string | null;
}

/** The view of a number option in the current language. */
export function numberView(name: NumberOption, t: Translate): NumberOptionView {
  const { min = 0, max = 0, unit = "level" } = optionTable[name].range ?? {};
  const view = exceptions[name] ?? byUnit[unit];
  const { round = (value) => value } = view;
  // Rounded, because 0.07 / 0.01 is not quite 7.
  const shown = (value: number): number => Math.round((round(value) / view.perUnit) * 1_000) / 1_000;
  const least = view.isWhole ? Math.ceil(shown(min)) : shown(min);
  const most = view.isWhole ? Math.floor(shown(max)) : shown(max);
  const text = (value: number | ""): string => t(`settings.unit.${view.unit}`, { value });
  const isSmall = view.unit === "gigabytes" && least < 1;
  const range = t("settings.outOfRange", {
    min: isSmall ? t("settings.unit.megabytes", { value: least * 1_000 }) : text(least),
    max: text(most),
  });
  return {
    min: least,
    max: most,
    shown,
    stored: (value) => (view.perUnit < 1 ? value * view.perUnit : Math.round(value * view.perUnit)),
    text,
    unit: text("").trim(),
    range,
    problem: (value) => {
      if (Number.isNaN(value) || value < least || value > most) return range;
      return view.isWhole && !Number.isInteger(value) ? t("settings.notWhole") : null;
    },
  };
}
