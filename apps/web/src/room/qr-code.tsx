import { useEffect, useRef, useState } from "react";
import { useT } from "../i18n/use-t.ts";
import { cx } from "../ui/cx.ts";
import { drawQrCode, type QrLogo, qrWidth } from "./draw-qr-code.ts";

interface QrCodeProps {
  readonly text: string;
  /** The picture in the middle. */
  readonly logo: QrLogo;
  readonly className?: string;
}

const marginMin = 24;

/** A text as a QR code, dark on white in both themes, with a picture in the middle. */
export function QrCode({ text, logo, className }: QrCodeProps) {
  const t = useT();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [moduleCount, setModuleCount] = useState<number>();
  const { id, name, src } = logo;

  useEffect(() => {
    const drawing = new AbortController();
    if (canvas.current) {
      drawQrCode(canvas.current, text, { id, name, src }, drawing.signal)
        .then((count) => {
          if (!drawing.signal.aborted) setModuleCount(count);
        })
        .catch(() => {}); // its code could not be fetched: the link stands beside it as words
    }
    return () => drawing.abort();
  }, [text, id, name, src]);

  const margin =
    moduleCount === undefined ? marginMin : Math.max(marginMin, Math.ceil((4 * qrWidth) / moduleCount));
  return (
    <div
      className={cx("w-fit max-w-full rounded-card border border-line-2 bg-white", className)}
      style={{ padding: margin }}
    >
      <canvas
        ref={canvas}
        role="img"
        aria-label={t("share.qrLabel")}
        width={qrWidth}
        height={qrWidth}
        className="block h-auto w-64 max-w-full"
      />
    </div>
  );
}
