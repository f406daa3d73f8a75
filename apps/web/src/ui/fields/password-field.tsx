import { useState } from "react";
import { IconButton } from "../icon-button.tsx";
import { HideIcon, ShowIcon } from "../icons.ts";
import { TextField, type TextFieldProps } from "./text-field.tsx";

interface PasswordFieldProps extends Omit<TextFieldProps, "type"> {
  readonly showLabel: string;
  readonly hideLabel: string;
}

/** A text field whose text can be hidden or shown; `end` adds more buttons. */
export function PasswordField({ showLabel, hideLabel, end, ...rest }: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  return (
    <TextField
      type={shown ? "text" : "password"}
      autoComplete="off"
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      {...rest}
      end={
        <>
          <IconButton
            size="sm"
            icon={shown ? HideIcon : ShowIcon}
            label={shown ? hideLabel : showLabel}
            onClick={() => setShown(!shown)}
          />
          {end}
        </>
      }
    />
  );
}
