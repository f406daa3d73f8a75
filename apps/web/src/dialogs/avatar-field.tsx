import { toWarrenError } from "@warren/protocol";
import { type ChangeEvent, useId, useRef, useState } from "react";
import { pictureFromAddress, pictureFromFile } from "../components/avatar-image.ts";
import { errorText } from "../i18n/i18n.ts";
import { useT } from "../i18n/use-t.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { PhotoIcon } from "../ui/later-icons.ts";
import { FieldError, TextField } from "../ui/text-field.tsx";

interface AvatarFieldProps {
  readonly clientId: string;
  readonly name: string;
  /** The picture's address or data URL, or null for initials. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}

/** Chooses a picture: from a file, by its address, or initials. */
export function AvatarField({ clientId, name, value, onChange }: AvatarFieldProps) {
  const t = useT();
  const file = useRef<HTMLInputElement>(null);
  const addressId = useId();
  const [byAddress, setByAddress] = useState(false);
  const [error, setError] = useState<string>();
  const [loading, setLoading] = useState(false);

  const load = async (picture: () => Promise<string>): Promise<void> => {
    setLoading(true);
    setError(undefined);
    try {
      onChange(await picture());
    } catch (thrown) {
      setError(errorText(toWarrenError(thrown, "image-load-failed").describe()));
    } finally {
      setLoading(false);
    }
  };
  const choose = (event: ChangeEvent<HTMLInputElement>): void => {
    const [chosen] = event.target.files ?? [];
    event.target.value = ""; // the same file may be chosen again
    if (chosen) void load(() => pictureFromFile(chosen));
  };
  const takeAddress = (address: string): void => {
    if (address.trim() !== "") void load(() => pictureFromAddress(address.trim()));
  };

  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-4">
        <Avatar id={clientId} name={name} src={value} size={56} />
        <div className="flex flex-wrap items-center gap-1 max-md:flex-1 max-md:*:flex-1">
          <Button size="sm" icon={PhotoIcon} loading={loading} onClick={() => file.current?.click()}>
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
          {value !== null && (
            <Button size="sm" variant="ghost" onClick={() => onChange(null)}>
              {t("join.useInitials")}
            </Button>
          )}
        </div>
        <input
          ref={file}
          type="file"
          accept="image/*"
          aria-label={t("join.choosePicture")}
          tabIndex={-1}
          className="sr-only"
          onChange={choose}
        />
      </div>
      <div id={addressId} hidden={!byAddress}>
        <TextField
          type="url"
          inputMode="url"
          label={t("join.pictureUrl")}
          placeholder="https://"
          autoComplete="off"
          error={byAddress ? error : undefined}
          onBlur={(event) => takeAddress(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            takeAddress(event.currentTarget.value);
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
