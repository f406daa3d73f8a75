import type { ShownCode, ShownCodeState } from "@warren/core";
import { useEffect, useState } from "react";
import { errorText } from "../../i18n/i18n.ts";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { Dialog, DialogFooter } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { usePlatform } from "../../wiring/platform-context.ts";
import { useWarren } from "../../wiring/warren-context.ts";

interface ShowCodeDialogProps extends DialogSlot<never> {
  /** The link behind the code. */
  readonly link: string;
}

/** Shows a short code for a link. It works while the dialog is open. */
export function ShowCodeDialog({ dialog, link }: ShowCodeDialogProps) {
  const t = useT();
  const { home } = usePlatform();
  const { state, minutesLeft, renew } = useShownCode(link);
  const isShown = state.status === "shown";
  const isOver = ["wrong", "expired", "failed"].includes(state.status);
  return (
    <Dialog
      dialog={dialog}
      initialFocus="top"
      title={t("code.title")}
      description={t("code.line", { host: home.replace(/^https?:\/\/|\/$/g, "") })}
      closable
    >
      <div
        role="status"
        className={cx(
          "mt-4 flex min-h-24 flex-wrap items-center justify-center rounded-row bg-sunken px-2 py-5 text-center",
          isShown ? "gap-x-4 gap-y-1 text-title-lg" : "text-balance text-body text-text-2",
        )}
      >
        {state.status === "shown" && (
          <p className="select-text whitespace-pre-wrap">{state.words.join("   ")}</p>
        )}
        {state.status === "failed" && <p>{errorText(state.error)}</p>}
        {state.status !== "shown" && state.status !== "failed" && <p>{t(`code.${state.status}`)}</p>}
      </div>
      {isShown && (
        <p className="mt-2 text-meta text-text-3">{t("code.minutesLeft", { count: minutesLeft })}</p>
      )}
      <DialogFooter>
        <Button variant={isOver ? "primary" : "ghost"} onClick={renew}>
          {t("code.renew")}
        </Button>
        <Button variant={isOver ? "ghost" : "primary"} onClick={dialog.cancel}>
          {t("code.close")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

/** A code for a link, shown until it is renewed or the component unmounts. */
function useShownCode(link: string) {
  const warren = useWarren();
  const [state, setState] = useState<ShownCodeState>({ status: "opening" });
  const [minutesLeft, setMinutesLeft] = useState(0);
  const [failure, setFailure] = useState<unknown>(null);
  /** The number of codes requested so far. */
  const [count, setCount] = useState(1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each count is another code
  useEffect(() => {
    let code: ShownCode | null = null;
    let isGone = false;
    const tick = (): void => setMinutesLeft(Math.ceil((code?.remainingMs() ?? 0) / 60_000));
    const timer = setInterval(tick, 1_000);
    warren.shortCodes().then((codes) => {
      if (isGone) return;
      code = codes.show(link);
      code.store.subscribe((next) => setState(next));
      tick();
    }, setFailure);
    return () => {
      isGone = true;
      clearInterval(timer);
      code?.close();
      setState({ status: "opening" });
    };
  }, [warren, link, count]);
  if (failure !== null) throw failure;
  return { state, minutesLeft, renew: () => setCount(count + 1) };
}
