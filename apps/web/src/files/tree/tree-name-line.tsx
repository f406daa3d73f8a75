import type { FileDescription } from "@warren/protocol";
import { MiddleEllipsis } from "../../ui/text/middle-ellipsis.tsx";
import { useTreeName } from "./tree-name.ts";

interface TreeNameLineProps {
  readonly file: FileDescription;
  readonly className: string;
}

/** The name of a file or tree on one line: shortened within the name of the file that a tree is called after. */
export function TreeNameLine({ file, className }: TreeNameLineProps) {
  const text = useTreeName(file);
  const { fileName } = file;
  const uncut = text.startsWith(fileName) ? text.length - fileName.length : 0;
  return <MiddleEllipsis text={text} uncut={uncut} className={className} />;
}
