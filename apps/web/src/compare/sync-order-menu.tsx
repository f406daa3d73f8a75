import type { ReactElement } from "react";
import { useT } from "../i18n/use-t.ts";
import { Menu, MenuCheck, MenuChoice, MenuSeparator } from "../ui/menu.tsx";
import { type DetailChoice, syncDetails } from "./sync-details.ts";
import type { SyncOrder } from "./sync-rows.ts";
import type { Sync } from "./use-sync.ts";

const orders: readonly SyncOrder[] = ["missing", "name", "size", "time"];

interface SyncOrderMenuProps extends DetailChoice {
  readonly sync: Sync;
  /** The button that says what the rows are sorted by. */
  readonly trigger: ReactElement;
}

/** By what the files of two are sorted, and what is said of each. */
export function SyncOrderMenu({ sync, trigger, hiddenDetails, onHideDetails }: SyncOrderMenuProps) {
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
      {syncDetails.map((detail) => (
        <MenuCheck
          key={detail}
          checked={!hiddenDetails.includes(detail)}
          onChange={(isShown) => {
            const others = hiddenDetails.filter((hidden) => hidden !== detail);
            onHideDetails(isShown ? others : [...others, detail]);
          }}
        >
          {t(`sync.details.${detail}`)}
        </MenuCheck>
      ))}
    </Menu>
  );
}
