import { type ReactNode, useId } from "react";
import { Checkbox } from "./checkbox.tsx";

interface CheckLineProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
}

/** A checkbox with its sentence; the sentence is part of the click target. */
export function CheckLine({ checked, onChange, children }: CheckLineProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-1 text-compact text-text-2 touch:py-2.5">
      <Checkbox id={id} checked={checked} onChange={onChange} className="-mt-0.5 -ml-1" />
      <label htmlFor={id} className="min-w-0 flex-1 cursor-pointer break-words">
        {children}
      </label>
    </div>
  );
}
