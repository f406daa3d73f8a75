import { useState } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { type Traffic, trafficSeconds } from "./use-connection-report.ts";

/** Minimum scale of the chart: the end of a small file should not look like a peak. */
const leastScale = 10_000;
const height = 48;

/** The traffic of files and calls over a connection since the dialog opened, at most one minute. Once shown, it stays. */
export function TrafficSection({ traffic }: { readonly traffic: Traffic }) {
  const t = useT();
  const format = useFormat();
  const { history, receivingBytesPerSecond, sendingBytesPerSecond, lossFraction } = traffic;
  const fastest = Math.max(0, ...history);
  const [hasMoved, setMoved] = useState(false);
  if (fastest > 0 && !hasMoved) setMoved(true);
  if (!hasMoved) return null;
  // Measuring starts when the dialog opens.
  const isFull = history.length === trafficSeconds;
  const peak = format.speed(fastest);
  return (
    <section className="mt-4">
      <div className="flex justify-between">
        <h3 className="text-meta text-text-2">
          {t(isFull ? "personInfo.lastMinute" : "personInfo.sinceOpened")}
        </h3>
        <span aria-hidden="true" className="text-meta text-text-2 tabular-nums">
          {t("personInfo.peak", { speed: peak })}
        </span>
      </div>
      <Sparkline history={history} label={t("personInfo.chart", { speed: peak })} />
      <dl className="mt-2 flex flex-wrap gap-x-5 text-meta text-text-2 tabular-nums">
        <Figure name={t("personInfo.receiving")} value={format.speed(receivingBytesPerSecond)} />
        <Figure name={t("personInfo.sending")} value={format.speed(sendingBytesPerSecond)} />
        {lossFraction !== null && <Figure name={t("personInfo.loss")} value={format.percent(lossFraction)} />}
      </dl>
    </section>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div className="flex gap-1">
      <dt>{name}</dt>
      <dd className="text-text">{value}</dd>
    </div>
  );
}

function Sparkline({ history, label }: { readonly history: readonly number[]; readonly label: string }) {
  const scale = Math.max(leastScale, ...history);
  const from = trafficSeconds - history.length;
  const points = history.map((value, i) => `${from + i},${height - 1 - (value / scale) * (height - 4)}`);
  // Without traffic only the baseline is drawn.
  const line = points.length > 1 && history.some((value) => value > 0) ? `M${points.join("L")}` : "";
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${trafficSeconds - 1} ${height}`}
      preserveAspectRatio="none"
      className="mt-2 block h-12 w-full overflow-hidden border-line border-b"
    >
      {line !== "" && (
        <>
          <path className="fill-accent/15" d={`${line}V${height}H${from}Z`} />
          <path
            className="fill-none stroke-accent"
            strokeWidth="1.75"
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
            d={line}
          />
        </>
      )}
    </svg>
  );
}
