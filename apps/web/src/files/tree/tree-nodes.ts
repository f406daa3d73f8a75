import type { TreeEntry, TreeFile } from "@warren/protocol/tree";

/** A folder of a tree with its children in display order: folders first, then by name. */
interface FolderNode {
  readonly kind: "folder";
  readonly path: string;
  readonly name: string;
  readonly children: readonly TreeNode[];
  /** Total bytes below it. */
  readonly size: number;
  /** Total files below it. */
  readonly fileCount: number;
}

/** A file of a tree. */
interface FileNode {
  readonly kind: "file";
  readonly path: string;
  readonly name: string;
  readonly size: number;
  readonly file: TreeFile;
}

type TreeNode = FolderNode | FileNode;

/** A node as a visible row. */
export interface TreeRow {
  readonly node: TreeNode;
  /** 1 for the top level. */
  readonly level: number;
  /** Its position among its siblings, from 1, and their number. */
  readonly position: number;
  readonly setSize: number;
  readonly isExpanded: boolean;
}

interface OpenFolder {
  readonly path: string;
  readonly name: string;
  readonly folders: Map<string, OpenFolder>;
  readonly files: FileNode[];
}

/** The top-level nodes of a tree. */
export function treeNodes(entries: Iterable<TreeEntry>): readonly TreeNode[] {
  const root = openFolder("", "");
  for (const entry of entries) {
    const segments = entry.path.split("/");
    const name = entry.kind === "file" ? (segments.pop() ?? "") : "";
    let folder = root;
    for (const segment of segments) {
      let inner = folder.folders.get(segment);
      if (!inner) {
        inner = openFolder(folder === root ? segment : `${folder.path}/${segment}`, segment);
        folder.folders.set(segment, inner);
      }
      folder = inner;
    }
    if (entry.kind === "file")
      folder.files.push({ kind: "file", path: entry.path, name, size: entry.size, file: entry });
  }
  return childrenOf(root);
}

/** The visible rows, given the expanded folders. */
export function treeRows(nodes: readonly TreeNode[], expanded: ReadonlySet<string>): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (children: readonly TreeNode[], level: number): void => {
    for (const [index, node] of children.entries()) {
      const isExpanded = node.kind === "folder" && expanded.has(node.path);
      rows.push({ node, level, position: index + 1, setSize: children.length, isExpanded });
      if (isExpanded) add(node.children, level + 1);
    }
  };
  add(nodes, 1);
  return rows;
}

/** All files below some nodes, in the order of a fully expanded tree. */
export function filesOf(nodes: readonly TreeNode[]): readonly TreeFile[] {
  return nodes.flatMap((node) => (node.kind === "folder" ? filesOf(node.children) : [node.file]));
}

const byName = new Intl.Collator(undefined, { numeric: true });

function childrenOf({ folders, files }: OpenFolder): readonly TreeNode[] {
  const folderNodes = [...folders.values()].map((folder): FolderNode => {
    const children = childrenOf(folder);
    return {
      kind: "folder",
      path: folder.path,
      name: folder.name,
      children,
      size: children.reduce((sum, { size }) => sum + size, 0),
      fileCount: children.reduce((sum, node) => sum + (node.kind === "folder" ? node.fileCount : 1), 0),
    };
  });
  const inOrder = (a: TreeNode, b: TreeNode): number => byName.compare(a.name, b.name);
  return [...folderNodes.sort(inOrder), ...files.toSorted(inOrder)];
}

function openFolder(path: string, name: string): OpenFolder {
  return { path, name, folders: new Map(), files: [] };
}

/** The name of a file without its folders. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
