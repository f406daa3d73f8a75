import { toWarrenError } from "@warren/protocol";
import { useId, useRef, useState } from "react";
import { errorText } from "../i18n/i18n.ts";
import { useT } from "../i18n/use-t.ts";
import { pictureFromAddress, pictureFromFile } from "../pictures/avatar-image.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { FieldError, TextField } from "../ui/fields/text-field.tsx";
import { PhotoIcon } from "../ui/icons.ts";
import { useDevice } from "../wiring/device-context.tsx";

interface AvatarFieldProps {
  readonly clientId: string;
  readonly name: string;
  /** The picture's address or data URL, or null for initials. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  /** Called when a picture starts to load; the promise tells whether it loaded. */
  readonly onLoad: (loaded: Promise<boolean>) => void;
}

/** Selects a picture: from a file, from an address, or initials. */
export function AvatarField({ clientId, name, value, onChange, onLoad }: AvatarFieldProps) {
  const t = useT();
  const { pickFiles } = useDevice();
  const addressId = useId();
  const [byAddress, setByAddress] = useState(false);
  const [error, setError] = useState<string>();
  const [loading, setLoading] = useState(false);

  const lastLoad = useRef(0);
  const lastAddress = useRef("");

  const load = async (picture: () => Promise<string>): Promise<boolean> => {
    const id = ++lastLoad.current;
    setLoading(true);
    setError(undefined);
    try {
      const loaded = await picture();
      // Ignored if another picture was chosen meanwhile.
      if (id === lastLoad.current) onChange(loaded);
      return true;
    } catch (thrown) {
      if (id === lastLoad.current) setError(errorText(toWarrenError(thrown, "image-load-failed").describe()));
      return false;
    } finally {
      if (id === lastLoad.current) setLoading(false);
    }
  };
  const choose = async (): Promise<void> => {
    const [chosen] = await pickFiles({ accept: "image/*" });
    if (chosen) onLoad(load(() => pictureFromFile(chosen)));
  };
  const takeAddress = (address: string): void => {
    const trimmed = address.trim();
    // Enter already applied it; the blur must not apply it again.
    if (trimmed === lastAddress.current) return;
    lastAddress.current = trimmed;
    if (trimmed !== "") onLoad(load(() => pictureFromAddress(trimmed)));
  };

  const takeInitials = (): void => {
    lastLoad.current++;
    lastAddress.current = "";
    setLoading(false);
    setError(undefined);
    onLoad(Promise.resolve(true));
    onChange(null);
  };

  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-4">
        <Avatar id={clientId} name={name} src={value} size={56} />
        <div className="flex flex-wrap items-center gap-1 max-md:flex-1 max-md:*:flex-1">
          <Button size="sm" icon={PhotoIcon} loading={loading} onClick={() => void choose()}>
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
            <Button size="sm" variant="ghost" onClick={takeInitials}>
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
