import { type ComponentProps, type ReactNode, useId } from "react";
import { useT } from "../../i18n/use-t.ts";
import { cx } from "../cx.ts";
import { AlertIcon } from "../icons.ts";

/** The label above a field; `aside` is right-aligned, for instance "optional". */
function Label({
  aside,
  children,
  className,
  ...rest
}: ComponentProps<"label"> & { readonly aside?: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the caller gives htmlFor
    <label
      className={cx(
        "flex items-baseline justify-between gap-2 text-compact font-medium text-text",
        className,
      )}
      {...rest}
    >
      {children}
      {aside !== undefined && <span className="font-normal text-text-3">{aside}</span>}
    </label>
  );
}

/** The error of a field, in one sentence below it. */
export function FieldError({ id, children }: { readonly id?: string; readonly children: ReactNode }) {
  return (
    <p id={id} className="flex items-start gap-1.5 text-compact text-danger">
      <AlertIcon size={15} className="mt-px" />
      {children}
    </p>
  );
}

const fieldEdge =
  "border border-control bg-surface focus-within:border-focus focus-within:shadow-[inset_0_0_0_1px_var(--focus)]";
const fieldEdgeError =
  "border border-danger bg-surface shadow-[inset_0_0_0_0.5px_var(--danger)] focus-within:shadow-[inset_0_0_0_1px_var(--danger)]";

/** The box of a field: 36 px high, 44 when large, on a phone or touch screen. The edge thickens on focus. */
export function FieldBox({
  large = false,
  invalid = false,
  className = "w-full",
  children,
}: {
  readonly large?: boolean;
  readonly invalid?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  return (
    <div
      className={cx(
        "flex items-center text-text transition-[border-color,box-shadow] has-[:disabled]:bg-sunken",
        "has-[input:focus-visible,textarea:focus-visible]:forced-colors:outline-2",
        large ? "h-11 rounded-row text-body-lg" : "h-9 rounded-control text-body touch:h-11",
        invalid ? fieldEdgeError : fieldEdge,
        className,
      )}
    >
      {children}
    </div>
  );
}

/** The bare input inside a {@link FieldBox}; 16 px on touch, so that iOS does not zoom in. */
export function FieldInput({ className, ...rest }: ComponentProps<"input">) {
  return (
    <input
      className={cx(
        "h-full min-w-0 flex-1 bg-transparent px-3 outline-none pointer-coarse:text-[16px]",
        className,
      )}
      {...rest}
    />
  );
}

export interface TextFieldProps extends Omit<ComponentProps<"input">, "value"> {
  readonly label: ReactNode;
  readonly value?: string;
  /** In characters. A longer text is an error: a browser would cut a pasted one without a word, perhaps within an emoji. */
  readonly maxLength?: number;
  /** Shown to the right of the label, for instance "optional". */
  readonly aside?: ReactNode;
  /** One line below the field, unless there is an error. */
  readonly hint?: ReactNode;
  readonly error?: ReactNode;
  readonly large?: boolean;
  /** Icon buttons at the field's end. */
  readonly end?: ReactNode;
}

/** A labelled text input with optional hint, error and buttons at its end. */
export function TextField({
  label,
  aside,
  hint,
  error: givenError,
  maxLength = Number.POSITIVE_INFINITY,
  large = false,
  end,
  id,
  className,
  ...rest
}: TextFieldProps) {
  const t = useT();
  const { value = "" } = rest;
  const isTooLong = value.length > maxLength && [...value].length > maxLength;
  const error = isTooLong ? t("common.tooLong", { limit: maxLength }) : givenError;
  const ownId = useId();
  const inputId = id ?? ownId;
  const invalid = error !== undefined && error !== null && error !== false;
  const noteId = `${inputId}-note`;
  const hasNote = invalid || hint !== undefined;
  return (
    <div className={cx("flex min-w-0 flex-col gap-1.5", className)}>
      <Label htmlFor={inputId} aside={aside}>
        {label}
      </Label>
      <FieldBox large={large} invalid={invalid}>
        <FieldInput
          id={inputId}
          aria-invalid={invalid || undefined}
          aria-describedby={hasNote ? noteId : undefined}
          {...rest}
          className={large ? "px-4" : undefined}
        />
        {end !== undefined && <div className="flex shrink-0 items-center pr-1">{end}</div>}
      </FieldBox>
      {invalid ? (
        <FieldError id={noteId}>{error}</FieldError>
      ) : (
        hint !== undefined && (
          <p id={noteId} className="text-meta text-text-3">
            {hint}
          </p>
        )
      )}
    </div>
  );
}
