import { FilesPage as Files } from "../../features/files/files-page.tsx";
import { useBreakpoint } from "../../hooks/use-media-query.ts";
import { useHiddenColumns } from "./use-hidden-columns.ts";

/** The file cache, with the columns this browser remembers. */
export function FilesPage() {
  const [hiddenColumns, setHiddenColumns] = useHiddenColumns(useBreakpoint());
  return <Files hiddenColumns={hiddenColumns} onHideColumns={setHiddenColumns} />;
}
