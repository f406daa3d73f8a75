import type { ReactNode } from "react";
import { joinSentences } from "../../i18n/spacing.ts";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { FieldError } from "../../ui/fields/text-field.tsx";

interface SettingRowProps {
  /** Prefix of the ids of the control's label and description. */
  readonly id: string;
  readonly label: string;
  readonly help: string;
  /** Always shown below: the range of a number, or why the control has no effect here. */
  readonly hint?: string | undefined;
  /** The default, as a sentence; shown while the setting differs from it. */
  readonly byDefault?: string | undefined;
  /** Resets the setting; undefined while it has its default. */
  readonly onReset?: (() => void) | undefined;
  readonly error?: string | null;
  /** The consequence of the current value. */
  readonly note?: ReactNode;
  /** Makes the whole row the target, for a switch. */
  readonly isLabel?: boolean;
  readonly control: ReactNode;
}

/** A row, with a line between two of them. */
export const rowClass = "setting-row py-3.5 [.setting-row+&]:border-line [.setting-row+&]:border-t";

/** The id of a row's label. */
export function labelIdOf(id: string): string {
  return `${id}-label`;
}

/** The ids of the elements that describe a row's control. */
export function noteIdsOf(id: string): string {
  return `${id}-help ${id}-footer ${id}-error`;
}

/** One setting: label, description, default and control. */
export function SettingRow({
  id,
  label,
  help,
  hint,
  byDefault,
  onReset,
  error = null,
  note,
  isLabel = false,
  control,
}: SettingRowProps) {
  const t = useT();
  const footerTexts = [hint, onReset && byDefault].filter((text) => text !== undefined);
  const footer = footerTexts.length > 0 ? joinSentences(footerTexts) : "";
  const Line = isLabel ? "label" : "div";
  return (
    <div className={rowClass}>
      <Line
        className={cx(
          "flex items-center justify-between gap-x-6 gap-y-2",
          isLabel ? "cursor-pointer" : "max-md:flex-col max-md:items-stretch",
        )}
      >
        <span className="min-w-0 flex-1">
          <span id={labelIdOf(id)} className="block font-medium">
            {label}
          </span>
          <span id={`${id}-help`} className="block text-pretty text-compact text-text-2">
            {help}
          </span>
        </span>
        {control}
      </Line>
      {error !== null && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {note}
      {(footer !== "" || onReset !== undefined) && (
        <p className="flex min-h-7 flex-wrap items-center gap-x-1 text-meta text-text-3">
          <span id={`${id}-footer`}>{footer}</span>
          {onReset !== undefined && (
            <Button
              variant="ghost"
              size="sm"
              aria-label={t("settings.resetOption", { option: label })}
              onClick={onReset}
            >
              {t("settings.reset")}
            </Button>
          )}
        </p>
      )}
    </div>
  );
}
