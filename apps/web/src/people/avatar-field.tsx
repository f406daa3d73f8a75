import { toWarrenError } from "@warren/protocol";
import { type Dispatch, type SetStateAction, useId, useRef, useState } from "react";
import { errorText } from "../i18n/i18n.ts";
import { useT } from "../i18n/use-t.ts";
import { pictureFromAddress, pictureFromFile } from "../pictures/avatar-image.ts";
import { Button } from "../ui/button.tsx";
import { FieldError, TextField } from "../ui/fields/text-field.tsx";
import { PhotoIcon } from "../ui/icons.ts";
import { usePlatform } from "../wiring/platform-context.ts";
import { Avatar } from "./avatar.tsx";

/** The picture shown, by its address or data URL, null for initials, and what became of the one chosen last. */
export type ChosenPicture = { readonly picture: string | null } & (
  | { readonly status: "ready" | "loading" }
  | { readonly status: "failed"; readonly error: string }
);

interface AvatarFieldProps {
  readonly id: string;
  readonly name: string;
  readonly value: ChosenPicture;
  readonly onChange: Dispatch<SetStateAction<ChosenPicture>>;
}

/** Selects a picture: from a file, from an address, or initials. */
export function AvatarField({ id, name, value, onChange }: AvatarFieldProps) {
  const t = useT();
  const { pickFiles } = usePlatform();
  const addressId = useId();
  const [byAddress, setByAddress] = useState(false);
  const lastAddress = useRef("");

  const error = value.status === "failed" ? value.error : undefined;

  const load = async (open: () => Promise<string>): Promise<void> => {
    const { picture } = value;
    const loading: ChosenPicture = { status: "loading", picture };
    onChange(loading);
    const outcome = await open().then(
      (opened): ChosenPicture => ({ status: "ready", picture: opened }),
      (thrown: unknown): ChosenPicture => {
        const fault = toWarrenError(thrown, "image-load-failed");
        return { status: "failed", picture, error: errorText(fault.describe()) };
      },
    );
    // Ignored if another picture was chosen meanwhile.
    onChange((now) => (now === loading ? outcome : now));
  };
  const choose = async (): Promise<void> => {
    const [chosen] = await pickFiles({ accept: "image/*" });
    if (chosen) await load(() => pictureFromFile(chosen));
  };
  const chooseAddress = (address: string): void => {
    const trimmed = address.trim();
    // Enter already applied it; the blur must not apply it again.
    if (trimmed === lastAddress.current) return;
    lastAddress.current = trimmed;
    if (trimmed !== "") void load(() => pictureFromAddress(trimmed));
  };

  const chooseInitials = (): void => {
    lastAddress.current = "";
    onChange({ status: "ready", picture: null });
  };

  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-4">
        <Avatar id={id} name={name} src={value.picture} size={56} />
        <div className="flex flex-wrap items-center gap-1 max-md:flex-1 max-md:*:flex-1">
          <Button
            size="sm"
            icon={PhotoIcon}
            loading={value.status === "loading"}
            onClick={() => void choose()}
          >
            {t("join.choosePicture")}
          </Button>
          <Button
            size="sm"
            variant="ghost"
            aria-expanded={byAddress}
            aria-controls={addressId}
            onClick={() => setByAddress(!byAddress)}
          >
            {t("join.pictureUrl")}
          </Button>
          {value.picture !== null && (
            <Button size="sm" variant="ghost" onClick={chooseInitials}>
              {t("join.useInitials")}
            </Button>
          )}
        </div>
      </div>
      <div id={addressId} hidden={!byAddress}>
        <TextField
          type="url"
          inputMode="url"
          label={t("join.pictureUrl")}
          placeholder="https://"
          autoComplete="off"
          error={byAddress ? error : undefined}
          onBlur={(event) => chooseAddress(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            chooseAddress(event.currentTarget.value);
          }}
        />
      </div>
      {error !== undefined && !byAddress && (
        <div role="alert">
          <FieldError>{error}</FieldError>
        </div>
      )}
    </div>
  );
}
