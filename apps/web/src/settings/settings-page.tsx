import { type ComponentType, useEffect, useRef } from "react";
import { useLocationProperty } from "wouter/use-browser-location";
import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";
import { BackLink } from "../ui/back-link.tsx";
import { Banner } from "../ui/banner.tsx";
import { cx } from "../ui/cx.ts";
import { useBreakpoint } from "../ui/hooks/use-media-query.ts";
import {
  AppearanceIcon,
  BellIcon,
  ChevronRightIcon,
  ConnectionIcon,
  type Icon,
  InfoIcon,
  MediaIcon,
  SaveIcon,
  SenderIcon,
  TestIcon,
  WarningIcon,
} from "../ui/icons.ts";
import { paths } from "../wiring/paths.ts";
import { useWarren } from "../wiring/warren-context.ts";
import { AboutSection } from "./about-section.tsx";
import { AdvancedSection } from "./advanced-section.tsx";
import { AppearanceSection } from "./appearance-section.tsx";
import { ConnectionSection } from "./connection-section.tsx";
import { FileReceiverSection, FileSenderSection } from "./file-sections.tsx";
import { MediaSection } from "./media-section.tsx";
import { NotificationsSection } from "./notifications-section.tsx";
import { settingLabel } from "./rows/option-label.ts";
import { UnknownMethod } from "./servers/paste-form.tsx";

/** The sections of the settings in order; each is its own address fragment. */
const parts = {
  appearance: { icon: AppearanceIcon, content: AppearanceSection },
  connection: { icon: ConnectionIcon, content: ConnectionSection },
  sender: { icon: SenderIcon, content: FileSenderSection },
  receiver: { icon: SaveIcon, content: FileReceiverSection },
  notifications: { icon: BellIcon, content: NotificationsSection },
  media: { icon: MediaIcon, content: MediaSection },
  about: { icon: InfoIcon, content: AboutSection },
  advanced: { icon: TestIcon, content: AdvancedSection },
} satisfies Record<string, { readonly icon: Icon; readonly content: ComponentType }>;
type Section = keyof typeof parts;
const sections = Object.keys(parts) as readonly Section[];
/** What is near each other in the list: the page itself, files, what reaches a person, and the rest. */
const groups: readonly (readonly Section[])[] = [
  ["appearance", "connection"],
  ["sender", "receiver"],
  ["notifications", "media"],
  ["about", "advanced"],
];

/** The settings: a list of sections beside the open one; on a phone only one of the two. */
export default function SettingsPage() {
  const isPhone = useBreakpoint() === "phone";
  const named = useSection();
  if (isPhone) {
    return (
      <div className="min-w-0 flex-1 overflow-y-auto bg-surface">
        {named === null ? <SectionList current={null} /> : <SectionContent section={named} isPhone />}
      </div>
    );
  }
  const section = named ?? "appearance";
  return (
    <>
      <div className="w-60 shrink-0 overflow-y-auto border-r border-line bg-canvas lg:w-[300px]">
        <SectionList current={section} />
      </div>
      <div className="min-w-0 flex-1 overflow-y-auto bg-surface">
        <SectionContent key={section} section={section} />
      </div>
    </>
  );
}

function SectionList({ current }: { readonly current: Section | null }) {
  const t = useT();
  const Title = current === null ? "h1" : "p";
  return (
    <>
      <Title className="flex h-14 items-center px-4 text-heading-sm max-md:text-title">
        {t("settings.title")}
      </Title>
      <nav
        aria-label={t("settings.sections")}
        className={cx("flex flex-col pb-6", current === null ? "gap-5 px-4" : "gap-4 px-2")}
      >
        {groups.map((group) => (
          <div
            key={group[0]}
            className={cx(
              current === null &&
                "divide-y divide-line overflow-hidden rounded-card border border-line-2 bg-raised",
            )}
          >
            {group.map((section) => (
              <SectionLink key={section} section={section} current={current} />
            ))}
          </div>
        ))}
      </nav>
    </>
  );
}

interface SectionLinkProps {
  readonly section: Section;
  readonly current: Section | null;
}

/** A row of the list. Where the list is the page, it says what the section holds. */
function SectionLink({ section, current }: SectionLinkProps) {
  const t = useT();
  const { icon: Glyph } = parts[section];
  const isPage = current === null;
  const isCurrent = section === current;
  return (
    <a
      href={`#${section}`}
      aria-current={isCurrent ? "true" : undefined}
      className={cx(
        "flex items-center gap-3 transition-colors",
        isPage
          ? "min-h-16 px-4 py-2.5 outline-offset-[-2px] hover:bg-hover"
          : "h-9 rounded-row px-2.5 touch:h-12",
        !isPage && (isCurrent ? "bg-selected font-medium text-text" : "text-text-2 hover:bg-hover"),
      )}
    >
      <Glyph size={isPage ? 20 : 18} className={isCurrent ? undefined : "text-text-2"} />
      <span className="min-w-0 flex-1">
        <span className={cx("block truncate", isPage && "font-medium")}>
          {t(`settings.section.${section}.title`)}
        </span>
        {isPage && (
          <span className="block text-compact text-text-2">{t(`settings.section.${section}.line`)}</span>
        )}
      </span>
      {isPage && <ChevronRightIcon size={16} className="text-text-3" />}
    </a>
  );
}

interface SectionContentProps {
  readonly section: Section;
  readonly isPhone?: boolean;
}

function SectionContent({ section, isPhone = false }: SectionContentProps) {
  const t = useT();
  const { content: Content } = parts[section];
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The list that had the focus was removed.
    if (isPhone) heading.current?.focus();
  }, [isPhone]);
  return (
    <div className="mx-auto max-w-[680px] px-4 pt-3 pb-[max(40px,env(safe-area-inset-bottom))] md:px-8 md:pt-6">
      <div className="flex items-center gap-1">
        {isPhone && <BackLink to={paths.settings.href} label={t("settings.back")} className="-ml-3" />}
        <h1 ref={heading} tabIndex={-1} className="text-title outline-none">
          {t(`settings.section.${section}.title`)}
        </h1>
      </div>
      <p className="-mb-2 text-text-2">{t(`settings.section.${section}.line`)}</p>
      <InvalidSettings />
      <Content />
    </div>
  );
}

/** Lists stored settings that could not be used. */
function InvalidSettings() {
  const t = useT();
  const format = useFormat();
  const { dropped } = useWarren().settings;
  const names = [...new Set(dropped.map(({ name }) => settingLabel(name, t)))];
  if (names.length === 0) return null;
  const unknownTurn = dropped.some(({ reason }) => reason === "invalid-turn-method");
  return (
    <Banner tone="warn" icon={WarningIcon} className="mt-3 rounded-control">
      {t("settings.repaired", { names: format.items(names.slice(0, 10)) })}
      {unknownTurn && (
        <>
          {" "}
          {t("settings.unknownTurn")} <UnknownMethod />
        </>
      )}
    </Banner>
  );
}

function readSection(): Section | null {
  const name = location.hash.slice(1);
  return sections.find((section) => section === name) ?? null;
}

/** The section in the address; null without one. */
function useSection(): Section | null {
  return useLocationProperty(readSection);
}
