import { type KeyboardEvent, useState } from "react";
import { FieldBox, FieldInput } from "./text-field.tsx";

interface NumberFieldProps {
  readonly id: string;
  readonly value: number;
  readonly unit: string;
  /** What is wrong with a number, or null where it can be taken. */
  readonly problem: (value: number) => string | null;
  readonly onChange: (value: number) => void;
  /** What is wrong with what stands in the field, once the person has left it; null when nothing is. */
  readonly onProblem: (problem: string | null) => void;
  readonly invalid: boolean;
  readonly labelledBy: string;
  readonly describedBy: string;
}

/** A number with its unit. What can be taken is taken at once; what cannot stays in the field until it is mended. */
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
        // A value changed from outside, as by a reset, replaces what can be taken, never what is being mended.
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

/** A number as people write it, with a point or a comma; NaN for anything else. */
function numberOf(text: string): number {
  const written = text.trim().replace(",", ".");
  return /^-?\d+(?:\.\d+)?$/.test(written) ? Number(written) : Number.NaN;
}
