import { type KeyboardEvent, useState } from "react";
import { FieldBox, FieldInput } from "./text-field.tsx";

interface NumberFieldProps {
  readonly id: string;
  readonly value: number;
  readonly unit: string;
  /** The error for a number, or null if it is valid. */
  readonly problem: (value: number) => string | null;
  readonly onChange: (value: number) => void;
  /** The error for the field's input after it has lost focus; null if there is none. */
  readonly onProblem: (problem: string | null) => void;
  readonly invalid: boolean;
  readonly labelledBy: string;
  readonly describedBy: string;
}

/**
 * A number with its unit. A valid input is applied at once; an invalid one stays in the field until it is
 * corrected.
 */
export function NumberField({
  id,
  value,
  unit,
  problem,
  onChange,
  onProblem,
  invalid,
  labelledBy,
  describedBy,
}: NumberFieldProps) {
  const [draft, setDraft] = useState<string>();

  const change = (text: string): void => {
    setDraft(text);
    const found = problem(numberOf(text));
    if (found !== null) return;
    onProblem(null);
    onChange(numberOf(text));
  };
  const settle = (): void => {
    if (draft === undefined) return;
    const found = problem(numberOf(draft));
    onProblem(found);
    if (found === null) setDraft(undefined);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter") settle();
    if (event.key !== "Escape" || draft === undefined) return;
    event.preventDefault();
    setDraft(undefined);
    onProblem(null);
  };

  return (
    <FieldBox invalid={invalid}>
      <FieldInput
        id={id}
        inputMode="decimal"
        autoComplete="off"
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        aria-invalid={invalid || undefined}
        // An external change, such as a reset, replaces a valid input, never one being corrected.
        value={draft ?? String(value)}
        onChange={(event) => change(event.target.value)}
        onBlur={settle}
        onKeyDown={onKeyDown}
        className="tabular-nums"
      />
      {unit !== "" && <span className="shrink-0 pr-3 text-compact text-text-3">{unit}</span>}
    </FieldBox>
  );
}

/** Parses a number with a point or a comma; NaN for any other input. */
function numberOf(text: string): number {
  const written = text.trim().replace(",", ".");
  return /^-?\d+(?:\.\d+)?$/.test(written) ? Number(written) : Number.NaN;
}
