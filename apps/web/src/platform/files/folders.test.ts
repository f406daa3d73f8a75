import { expect, test } from "vitest";
import { folderOfFiles } from "./folders.ts";

type Folder = NonNullable<ReturnType<typeof folderOfFiles>>;

/** The paths of all files in a folder. */
async function pathsIn({ list }: Folder, prefix = ""): Promise<readonly string[]> {
  const paths = (await list()).map(async (item) =>
    item.kind === "file" ? [prefix + item.name] : pathsIn(item.folder, `${prefix}${item.folder.name}/`),
  );
  return (await Promise.all(paths)).flat();
}

test("restores the folder from an input's files", async () => {
  const picked = ["Scouting/a.txt", "Scouting/b/c.txt", "Scouting/b/d/e.txt"].map((path) =>
    Object.defineProperty(new File([], path.split("/").at(-1) ?? ""), "webkitRelativePath", { value: path }),
  );
  const folder = folderOfFiles(picked);
  expect(folder?.name).toBe("Scouting");
  expect(folder && (await pathsIn(folder))).toEqual(["a.txt", "b/c.txt", "b/d/e.txt"]);
  expect(folderOfFiles([])).toBeNull();
});
