import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";
import { cx } from "../ui/cx.ts";

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

/** Links to what it was built from. */
export function BuildSources() {
  const t = useT();
  return (
    <ul className="flex flex-col gap-2">
      <li>
        <PageLink href={__SOURCE_URL__}>{t("about.source")}</PageLink>
      </li>
      <li>
        <PageLink href={`${import.meta.env.BASE_URL}licenses.txt`}>{t("about.parts")}</PageLink>
      </li>
    </ul>
  );
}

function PageLink({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className="text-accent-text underline">
      {children}
    </a>
  );
}

/** The disclaimer, and whose emoji the safety code shows. */
export function BuildNotes({ className }: { readonly className?: string }) {
  const t = useT();
  return (
    <div className={cx("flex flex-col gap-2 text-compact text-text-2", className)}>
      <p>{t("about.disclaimer")}</p>
      <p>{t("about.emoji")}</p>
    </div>
  );
}
