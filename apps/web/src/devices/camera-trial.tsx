import { useT } from "../i18n/use-t.ts";
import { CameraIcon } from "../ui/icons.ts";
import { Spinner } from "../ui/spinner.tsx";
import { DeviceField, TrialFailure } from "./device-field.tsx";
import { cameraConstraints } from "./media-choice.ts";
import { chipOnPicture, StreamVideo } from "./stream-video.tsx";
import { type TrialProps, useTrial } from "./use-trial.ts";

/** Previews the camera, and selects one. */
export function CameraTrial(props: TrialProps) {
  const t = useT();
  const { trial, retry } = useTrial("camera", cameraConstraints, props);
  return (
    <>
      <div className="relative flex h-56 items-center justify-center overflow-hidden rounded-card bg-sunken max-md:h-48">
        {trial.status === "live" ? (
          <>
            <StreamVideo stream={trial.stream} label={t("call.yourCamera")} isMirrored />
            {/* Not always the selected one: while that is not plugged in, another is used. */}
            <span className={`${chipOnPicture} left-2`}>
              {trial.stream.getVideoTracks()[0]?.label || t("call.yourCamera")}
            </span>
          </>
        ) : trial.status === "failed" ? (
          <div className="flex flex-col items-center gap-2.5 px-6">
            <CameraIcon size={28} className="stroke-[1.5] text-text-2" />
            <TrialFailure word="camera" kind={trial.kind} onRetry={retry} />
          </div>
        ) : (
          <p role="status" className="flex items-center gap-2 text-compact text-text-2">
            <Spinner size={16} />
            {t("media.camera.starting")}
          </p>
        )}
      </div>
      <DeviceField
        word="camera"
        devices={props.devices}
        value={props.choice.cameraId}
        onChange={(cameraId) => props.onChange({ cameraId })}
      />
    </>
  );
}
