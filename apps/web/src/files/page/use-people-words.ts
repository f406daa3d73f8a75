import { useShallow } from "zustand/react/shallow";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { firstNameOf, shownName } from "../../people/shown-name.ts";
import { useProfile, useStore, useWarren } from "../../ui/warren-context.tsx";
import type { FileRow } from "./file-row.ts";

/** Maximum number of names in a cell. */
const namedMax = 2;

/** "From Mara", "To Mara and Noor", "To 5 people"; empty for my file that was offered to nobody. */
export function usePeopleWords({ file, people }: FileRow): string {
  const t = useT();
  const format = useFormat();
  const { chat } = useWarren();
  const { name: ownName } = useProfile();
  const someone = t("people.someone");
  const names = useStore(
    chat.store,
    useShallow((state) => people.map((id) => firstNameOf(shownName(id, state.contacts, ownName) ?? someone))),
  );
  if (names.length === 0) return "";
  const whom = names.length > namedMax ? t("files.people", { count: names.length }) : format.list(names);
  return t(file.direction === "received" ? "files.from" : "files.to", { name: whom });
}
