import { useId } from "react";
import { cx } from "../../ui/cx.ts";
import { Switch } from "../../ui/fields/switch.tsx";

interface SwitchLineProps {
  readonly label: string;
  readonly hint: string;
  readonly isDisabled?: boolean;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** A switch with what it does. */
export function SwitchLine({ label, hint, isDisabled = false, isOn, onChange }: SwitchLineProps) {
  const id = useId();
  const hintId = useId();
  return (
    <label
      htmlFor={id}
      className={cx("flex min-h-11 items-center justify-between gap-4 py-1", !isDisabled && "cursor-pointer")}
    >
      <span className="min-w-0">
        <span className="block">{label}</span>
        <span id={hintId} className="block text-meta text-text-2">
          {hint}
        </span>
      </span>
      <Switch
        id={id}
        aria-label={label}
        aria-describedby={hintId}
        checked={isOn}
        disabled={isDisabled}
        onChange={onChange}
      />
    </label>
  );
}
