import { useState } from "react";
import { usePlatform } from "../../wiring/platform-context.ts";

/** Where a browser keeps that Enter was explained. */
const offeredKey = "enter_offered";

export interface EnterOffer {
  readonly isShown: boolean;
  /** Shows the offer; once per browser. */
  show(): void;
  hide(): void;
}

/** State of the offer that Enter sends from now on, made after the first line that Enter began. */
export function useEnterOffer(): EnterOffer {
  const { storage } = usePlatform();
  const [isShown, setShown] = useState(false);
  return {
    isShown,
    show() {
      if (storage.read(offeredKey) !== null) return;
      storage.write(offeredKey, "true");
      setShown(true);
    },
    hide: () => setShown(false),
  };
}
