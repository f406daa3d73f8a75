import { useState } from "react";
import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { useDevice } from "../ui/device-context.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { CloseIcon } from "../ui/icons.ts";
import { printedKeys } from "../ui/printed-keys.ts";
import { useWarren } from "../ui/warren-context.tsx";

const storageKey = "enter_offered";

interface EnterOffer {
  readonly isShown: boolean;
  /** Shows the offer; once per browser. */
  show(): void;
  hide(): void;
}

/** State of the offer to send with Enter. */
export function useEnterOffer(): EnterOffer {
  const { storage } = useDevice();
  const [isShown, setShown] = useState(false);
  return {
    isShown,
    show() {
      if (storage.read(storageKey) !== null) return;
      storage.write(storageKey, "true");
      setShown(true);
    },
    hide: () => setShown(false),
  };
}

/**
 * Explains Enter after the user has started a new line with it, and offers to change that. `onEnd` is called
 * once it is answered.
 */
export function EnterOfferBar({ onEnd }: { readonly onEnd: () => void }) {
  const t = useT();
  const { settings } = useWarren();
  return (
    <div role="status" className="mb-2 flex items-center gap-2 pl-1 text-compact text-text-2">
      <p className="min-w-0 flex-1">{printedKeys(t("composer.enterOffer"))}</p>
      <Button
        size="sm"
        onClick={() => {
          settings.set("enterSends", true);
          onEnd();
        }}
      >
        {t("composer.makeEnterSend")}
      </Button>
      <IconButton
        size="sm"
        icon={CloseIcon}
        iconSize={15}
        label={t("common.close")}
        tooltipSide="top"
        onClick={onEnd}
      />
    </div>
  );
}
