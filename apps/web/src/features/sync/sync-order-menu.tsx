import type { ReactElement } from "react";
import { useT } from "../../i18n/use-t.ts";
import { Menu, MenuChoice } from "../../ui/menu.tsx";
import type { SyncOrder } from "./sync-rows.ts";
import type { Sync } from "./use-sync.ts";

const orders: readonly SyncOrder[] = ["missing", "name", "size", "time"];

interface SyncOrderMenuProps {
  readonly sync: Sync;
  /** The button that says what the rows are sorted by. */
  readonly trigger: ReactElement;
}

/** By what the files of two are sorted. */
export function SyncOrderMenu({ sync: { order, setOrder }, trigger }: SyncOrderMenuProps) {
  const t = useT();
  return (
    <Menu trigger={trigger}>
      <MenuChoice
        label={t("sync.order")}
        value={order}
        options={orders.map((value) => ({ value, label: t(`sync.orders.${value}`) }))}
        onChange={setOrder}
      />
    </Menu>
  );
}
