import QrLibrary, { type BitMatrix } from "qrcode";
import { useMemo, useRef } from "react";
import { useT } from "../../i18n/use-t.ts";
import { hueOf, initials } from "../../people/initials.ts";
import { cx } from "../../ui/cx.ts";
import { useAbortableEffect } from "../../ui/hooks/use-abortable-effect.ts";
import { useProfile } from "../../wiring/warren-context.ts";

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
  // Before the first frame: the margin depends on how many there are.
  const modules = useMemo(() => modulesOf(text, isPlain), [text, isPlain]);

  useAbortableEffect(
    (signal) => {
      if (modules === null || canvas.current === null) return;
      void drawQrCode(canvas.current, modules, isPlain ? null : { id, name, src }, signal);
    },
    [modules, id, name, src, isPlain],
  );

  if (modules === null) {
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
  const margin = Math.max(marginMin, Math.ceil((4 * qrWidth) / modules.size));
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
        // On a low phone, what sends the link stays in sight below it.
        className={cx("block h-auto w-64 max-w-full", !isPlain && "max-md:w-[min(16rem,30dvh)]")}
      />
    </div>
  );
}

/**
 * The modules of a QR code: of error level M, which corrects more than the logo hides, or of level L for one without; null for a
 * text too long for one.
 */
function modulesOf(text: string, isPlain: boolean): BitMatrix | null {
  try {
    return QrLibrary.create(text, { errorCorrectionLevel: isPlain ? "L" : "M" }).modules;
  } catch {
    return null;
  }
}

/** Draws a QR code, sharp at the screen's pixel density, with a round logo of a sixth of its width or without one. */
async function drawQrCode(
  canvas: HTMLCanvasElement,
  modules: BitMatrix,
  logo: Logo | null,
  signal: AbortSignal,
): Promise<void> {
  const picture = await loadPicture(logo?.src ?? null);
  const context = canvas.getContext("2d");
  if (signal.aborted || !context) return;

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
