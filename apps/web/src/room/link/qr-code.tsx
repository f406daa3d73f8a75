import QrLibrary from "qrcode";
import { useEffect, useRef, useState } from "react";
import { useT } from "../../i18n/use-t.ts";
import { cx } from "../../ui/cx.ts";
import { hueOf, initials } from "../../ui/initials.ts";
import { useProfile } from "../../wiring/warren-context.tsx";

/** Edge of the code in CSS px, without its margin. */
const qrWidth = 256;
const logoWidth = qrWidth / 6;
/** White around the logo, in px. */
const logoMargin = 6;
const marginMin = 24;
const ink = "#141c18";

/** The picture in the middle of a code. */
interface Logo {
  /** Determines the hue of the initials. */
  readonly id: string;
  readonly name: string;
  /** A picture's address, or null for initials. */
  readonly src: string | null;
}

interface QrCodeProps {
  readonly text: string;
  /** Its name; that of a room's link if absent. */
  readonly label?: string;
  /** Without my picture, and so with fewer and larger modules. */
  readonly isPlain?: boolean;
  readonly className?: string;
}

/** A text as a QR code, dark on white in both themes, with my picture in the middle. */
export function QrCode({ text, label, isPlain = false, className }: QrCodeProps) {
  const t = useT();
  const { clientId: id, name, avatar: src } = useProfile();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [moduleCount, setModuleCount] = useState<number>();
  /** A text without a code. */
  const [failed, setFailed] = useState<string>();
  const isFailed = failed === text;

  useEffect(() => {
    if (isFailed || canvas.current === null) return;
    const drawing = new AbortController();
    drawQrCode(canvas.current, text, isPlain ? null : { id, name, src }, drawing.signal).then(
      (count) => {
        if (!drawing.signal.aborted) setModuleCount(count);
      },
      () => {
        if (!drawing.signal.aborted) setFailed(text);
      },
    );
    return () => drawing.abort();
  }, [text, id, name, src, isPlain, isFailed]);

  if (isFailed) {
    return (
      <div
        role="status"
        className={cx(
          "flex aspect-square w-76 max-w-full flex-col items-center justify-center gap-3 rounded-card border border-line-2 p-4 text-center text-compact text-text-2",
          className,
        )}
      >
        {t("share.qrTooLong")}
      </div>
    );
  }
  const margin =
    moduleCount === undefined ? marginMin : Math.max(marginMin, Math.ceil((4 * qrWidth) / moduleCount));
  return (
    <div
      className={cx(
        "w-fit max-w-full rounded-card border border-line-2 bg-white forced-color-adjust-none",
        className,
      )}
      style={{ padding: margin }}
    >
      <canvas
        ref={canvas}
        role="img"
        aria-label={label ?? t("share.qrLabel")}
        width={qrWidth}
        height={qrWidth}
        className="block h-auto w-64 max-w-full"
      />
    </div>
  );
}

/**
 * Draws a QR code, sharp at the screen's pixel density: of error level M, which corrects more than the logo hides, with a round
 * logo of a sixth of its width; or of level L without one.
 * @returns the number of modules per row.
 */
async function drawQrCode(
  canvas: HTMLCanvasElement,
  text: string,
  logo: Logo | null,
  signal: AbortSignal,
): Promise<number> {
  const picture = await loadPicture(logo?.src ?? null);
  const { modules } = QrLibrary.create(text, { errorCorrectionLevel: logo === null ? "L" : "M" });
  const context = canvas.getContext("2d");
  if (signal.aborted || !context) return modules.size;

  const scale = Math.max(1, devicePixelRatio);
  canvas.width = Math.round(qrWidth * scale);
  canvas.height = canvas.width;
  // Edges are rounded to whole pixels, so that no module is grey.
  const edge = (index: number): number => Math.round((index * canvas.width) / modules.size);
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = ink;
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      if (!modules.get(row, column)) continue;
      context.fillRect(edge(column), edge(row), edge(column + 1) - edge(column), edge(row + 1) - edge(row));
    }
  }
  context.scale(canvas.width / qrWidth, canvas.width / qrWidth);
  if (logo !== null) drawLogo(context, logo, picture);
  return modules.size;
}

function drawLogo(context: CanvasRenderingContext2D, logo: Logo, picture: HTMLImageElement | null): void {
  const centre = qrWidth / 2;
  const circle = (radius: number): void => {
    context.beginPath();
    context.arc(centre, centre, radius, 0, 2 * Math.PI);
  };
  circle(logoWidth / 2 + logoMargin);
  context.fillStyle = "#ffffff";
  context.fill();
  circle(logoWidth / 2);
  // A fallback for browsers without oklch.
  context.fillStyle = "#dde8e2";
  context.fillStyle = `oklch(0.918 0.028 ${hueOf(logo.id)})`;
  context.fill();
  if (picture) {
    context.clip();
    context.drawImage(picture, centre - logoWidth / 2, centre - logoWidth / 2, logoWidth, logoWidth);
    return;
  }
  context.fillStyle = ink;
  context.fillStyle = `oklch(0.39 0.058 ${hueOf(logo.id)})`;
  context.font = `600 ${Math.round(logoWidth * 0.4)}px "Inter Variable", system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(initials(logo.name), centre, centre + 1);
}

async function loadPicture(src: string | null): Promise<HTMLImageElement | null> {
  if (src === null) return null;
  const image = new Image();
  image.src = src;
  try {
    await image.decode();
    return image;
  } catch {
    return null; // initials stand in, as everywhere
  }
}
