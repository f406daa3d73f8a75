import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from "react";
import { cx } from "../cx.ts";
import { CheckIcon, MinusIcon } from "../icons.ts";

interface CheckboxProps extends Omit<ComponentProps<"input">, "type" | "onChange" | "checked" | "ref"> {
  /** "mixed": some of the rows are selected. */
  readonly checked: boolean | "mixed";
  readonly onChange: (checked: boolean) => void;
}

/** A checkbox of 16 px with a target of 24 px; in lists and on touch the row around it is the target. */
export function Checkbox({ checked, onChange, className, ...rest }: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null);
  const mixed = checked === "mixed";

  useEffect(() => {
    if (input.current !== null) input.current.indeterminate = mixed;
  }, [mixed]);

  return (
    <span className={cx("relative inline-grid size-6 shrink-0 place-items-center", className)}>
      <input
        ref={input}
        type="checkbox"
        checked={checked === true}
        onChange={(event) => onChange(event.target.checked)}
        className="peer col-start-1 row-start-1 size-4 cursor-pointer appearance-none rounded-[5px] border-[1.5px] border-control bg-surface transition-colors before:absolute before:inset-0 checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent disabled:cursor-default disabled:opacity-50"
        {...rest}
      />
      {checked !== false && (
        <span className="pointer-events-none col-start-1 row-start-1 text-on-accent">
          {mixed ? (
            <MinusIcon size={12} className="stroke-3" />
          ) : (
            <CheckIcon size={12} className="stroke-3" />
          )}
        </span>
      )}
    </span>
  );
}

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
