import type { ReactElement } from "react";
import { useT } from "../i18n/use-t.ts";
import { HiddenChecks, type HiddenChoice } from "../ui/data-table.tsx";
import { MenuChoice, MenuSeparator } from "../ui/menu-items.tsx";
import { Menu, type TriggerProps } from "../ui/overlays.tsx";
import type { SyncOrder } from "./sync-rows.ts";
import { type SyncDetail, syncDetails } from "./sync-rows.ts";
import type { Sync } from "./use-sync.ts";

const orders: readonly SyncOrder[] = ["missing", "name", "size", "time"];

interface SyncOrderMenuProps extends HiddenChoice<SyncDetail> {
  readonly sync: Sync;
  /** The button that opens it. */
  readonly trigger: ReactElement<TriggerProps>;
}

/** Selects the sort order of the compared files, and the details shown of each. */
export function SyncOrderMenu({ sync, trigger, ...choice }: SyncOrderMenuProps) {
  const { order, setOrder } = sync;
  const t = useT();
  return (
    <Menu trigger={trigger}>
      <MenuChoice
        label={t("sync.order")}
        value={order}
        options={orders.map((value) => ({ value, label: t(`sync.orders.${value}`) }))}
        onChange={setOrder}
      />
      <MenuSeparator />
      <HiddenChecks {...choice} all={syncDetails} labelOf={(detail) => t(`sync.details.${detail}`)} />
    </Menu>
  );
}
