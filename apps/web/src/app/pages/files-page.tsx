import {
  hiddenAtFirst,
  type OptionalFileColumn,
  optionalFileColumns,
} from "../../files/page/file-columns.tsx";
import { FilesPage as Files } from "../../files/page/files-page.tsx";
import { useBreakpoint } from "../../ui/use-media-query.ts";
import { useHidden } from "./use-hidden.ts";

/** Narrow screens start with fewer columns. */
const narrow: readonly OptionalFileColumn[] = [...hiddenAtFirst, "lastModified", "createdAt"];

/** The file cache, with the columns this browser remembers. */
export function FilesPage() {
  const byDefault = useBreakpoint() === "desktop" ? hiddenAtFirst : narrow;
  const [hidden, setHidden] = useHidden("hidden_file_columns", optionalFileColumns, byDefault);
  return <Files hidden={hidden} onHide={setHidden} />;
}
