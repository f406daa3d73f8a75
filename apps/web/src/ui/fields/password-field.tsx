import { useState } from "react";
import { useT } from "../../i18n/use-t.ts";
import { IconButton } from "../icon-button.tsx";
import { HideIcon, ShowIcon } from "../icons.ts";
import { TextField, type TextFieldProps } from "./text-field.tsx";

/** A text field whose text can be hidden or shown; `end` adds more buttons. */
export function PasswordField({ end, ...rest }: Omit<TextFieldProps, "type">) {
  const t = useT();
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
            label={t(shown ? "common.hideText" : "common.showText")}
            onClick={() => setShown(!shown)}
          />
          {end}
        </>
      }
    />
  );
}
