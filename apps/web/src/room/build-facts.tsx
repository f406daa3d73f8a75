import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";

/** Which build this is. */
export function BuildFacts() {
  const t = useT();
  const format = useFormat();
  const facts = [
    [t("about.version"), __APP_VERSION__],
    [t("about.built"), format.dateTime(Date.parse(__BUILD_TIME__))],
    [t("about.commit"), __COMMIT__],
    [t("about.licence"), t("about.mit")],
  ];
  return (
    <dl className="divide-y divide-line">
      {facts.map(([name, value]) => (
        <div key={name} className="flex justify-between gap-4 py-2.5">
          <dt className="font-medium">{name}</dt>
          <dd className="text-text-2 tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
