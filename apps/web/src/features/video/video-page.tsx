import { useState } from "react";
import { useDevice } from "../../components/device-context.tsx";
import { chipOnPicture, StreamVideo } from "../../components/media/stream-video.tsx";
import { useProfile } from "../../components/warren-context.tsx";
import { useChooseMedia } from "../../dialogs/use-choose-media.ts";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { type Icon, ScreenIcon } from "../../ui/icons.tsx";
import { CameraIcon, MediaIcon, StopIcon } from "../../ui/settings-icons.tsx";
import { FieldError } from "../../ui/text-field.tsx";
import { type PreviewFailure, type PreviewSource, usePreview } from "./use-preview.ts";

/** The stage: for now one's own screen or camera, seen by nobody else. */
export function VideoPage() {
  const t = useT();
  const { roomId } = useProfile();
  const { media } = useDevice();
  const stage = usePreview();
  const chooseMedia = useChooseMedia();
  const chooseDevices = async (): Promise<void> => {
    const { preview, start, stop } = stage;
    const hadCamera = preview.status === "shown" && preview.source === "camera";
    // Phones open one camera at a time, so the dialog gets it first.
    if (hadCamera) stop();
    await chooseMedia();
    if (hadCamera) await start("camera");
  };
  return (
    <section aria-label={t("video.title")} className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
      <header className="flex h-14 shrink-0 items-center justify-between gap-4 px-5">
        <h1 className="min-w-0 truncate text-heading-sm">{roomId}</h1>
        {media !== null && (
          <Button variant="ghost" icon={MediaIcon} onClick={() => void chooseDevices()}>
            {t("media.choose")}
          </Button>
        )}
      </header>
      {media === null ? (
        <div className="flex flex-1 items-center justify-center p-5">
          <EmptyState icon={ScreenIcon} title={t("video.noSupport")}>
            {t("video.secureContext")}
          </EmptyState>
        </div>
      ) : (
        <Stage {...stage} />
      )}
    </section>
  );
}

function Stage({ preview, start, stop }: ReturnType<typeof usePreview>) {
  const t = useT();
  const isShown = preview.status === "shown";
  const startButton = (source: PreviewSource, icon: Icon) => (
    <StageButton
      icon={icon}
      isPressed={isShown && preview.source === source}
      isBusy={preview.status === "starting" && preview.source === source}
      onClick={() => void start(source)}
    >
      {t(`video.${source}`)}
    </StageButton>
  );
  return (
    <>
      <div className="flex min-h-0 flex-1 flex-col items-center justify-center gap-3 overflow-y-auto px-4">
        {isShown ? (
          <Preview stream={preview.stream} source={preview.source} />
        ) : (
          <EmptyState icon={ScreenIcon} title={t("video.noStream")}>
            {t("video.line")}
          </EmptyState>
        )}
        <div role="alert">
          {preview.status === "none" && preview.failure && <Failure failure={preview.failure} />}
        </div>
      </div>
      <div className="flex shrink-0 flex-col items-center gap-2 px-4 pt-3 pb-[max(16px,env(safe-area-inset-bottom))]">
        <p role="status" className="min-h-4 text-meta text-text-2">
          {isShown && t("video.onlyYou")}
        </p>
        <div
          role="toolbar"
          aria-label={t("video.devices")}
          className="flex gap-2 rounded-bubble bg-stage-bar p-2 shadow-menu max-[360px]:gap-1 max-[360px]:p-1"
        >
          {startButton("screen", ScreenIcon)}
          {startButton("camera", CameraIcon)}
          {isShown && (
            <StageButton icon={StopIcon} isEnd onClick={stop}>
              {t("video.stop")}
            </StageButton>
          )}
        </div>
      </div>
    </>
  );
}

function Failure({ failure }: { readonly failure: PreviewFailure }) {
  const t = useT();
  const text = {
    denied: () => t("media.camera.denied"),
    missing: () => t("media.camera.missing"),
    busy: () => t("media.camera.busy"),
    failed: () => t("media.camera.failed"),
    "no-screen": () => t("video.noScreen"),
    "screen-denied": () => t("video.denied"),
    "screen-failed": () => t("video.failed"),
  }[failure.kind]();
  return (
    <div className="flex max-w-[400px] justify-center">
      <FieldError>{text}</FieldError>
    </div>
  );
}

interface PreviewProps {
  readonly stream: MediaStream;
  readonly source: PreviewSource;
}

function Preview({ stream, source }: PreviewProps) {
  const t = useT();
  // As words: nobody writes 1,920 × 1,080.
  const [size, setSize] = useState<{ readonly width: string; readonly height: string }>();
  const name = source === "screen" ? t("video.yourScreen") : t("video.yourCamera");
  const hasSound = stream.getAudioTracks().length > 0;
  return (
    <figure className="relative flex max-h-full min-h-0 w-full max-w-[1200px] flex-1 items-center justify-center overflow-hidden rounded-card bg-tile">
      <StreamVideo
        stream={stream}
        label={name}
        isMirrored={source === "camera"}
        onResize={({ currentTarget }) =>
          setSize({ width: String(currentTarget.videoWidth), height: String(currentTarget.videoHeight) })
        }
      />
      <figcaption className={`${chipOnPicture} left-2`}>
        {hasSound ? t("video.withSound", { name }) : name}
      </figcaption>
      {size !== undefined && <span className={`${chipOnPicture} right-2`}>{t("video.size", size)}</span>}
    </figure>
  );
}

interface StageButtonProps {
  readonly icon: Icon;
  readonly isPressed?: boolean;
  readonly isBusy?: boolean;
  readonly isEnd?: boolean;
  readonly onClick: () => void;
  readonly children: string;
}

function StageButton({
  icon: Glyph,
  isPressed,
  isBusy = false,
  isEnd = false,
  onClick,
  children,
}: StageButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={isPressed}
      aria-busy={isBusy || undefined}
      onClick={onClick}
      className={cx(
        "flex h-11 items-center gap-2 rounded-row px-3.5 max-[360px]:px-2.5 font-medium text-body text-white transition-colors max-md:h-13",
        isEnd
          ? "bg-stage-end"
          : "bg-stage-control hover:bg-selected aria-pressed:bg-text aria-pressed:text-surface",
      )}
    >
      <Glyph size={18} />
      {children}
    </button>
  );
}
