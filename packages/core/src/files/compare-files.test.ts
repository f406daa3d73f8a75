import type { FileDescription } from "@warren/protocol";
import { describe, expect, it } from "vitest";
import { compareFiles } from "./compare-files.ts";
import type { StoredFile } from "./stored-file.ts";

function file(fid: string, fileName: string, change: Partial<FileDescription> = {}): FileDescription {
  return {
    fid,
    fileName,
    fileSize: 1_000,
    mimeType: "",
    lastModified: 5_000,
    chunkSize: 65_536,
    ...change,
  };
}

function stored(description: FileDescription, change: Partial<StoredFile> = {}): StoredFile {
  return {
    description,
    createdAt: 0,
    direction: "received",
    peers: [],
    shared: false,
    saved: false,
    savedAs: null,
    state: "complete",
    location: "storage",
    storedBytes: description.fileSize,
    ...change,
  };
}

/** Rows as "verdict theirs mine", by id. */
const shape = (...sides: Parameters<typeof compareFiles>): string[] =>
  compareFiles(...sides).map(
    ({ verdict, theirs, mine }) => `${verdict} ${theirs?.fid ?? "-"} ${mine?.description.fid ?? "-"}`,
  );

describe("the comparison of files", () => {
  it("separates new files, files only I have and equal files, with missing files first", () => {
    const both = file("both", "a.mov");
    const sides = [
      [both, file("t1", "c.wav"), file("t2", "b.wav")],
      [stored(both), stored(file("m1", "poster.psd"))],
    ] as const;
    expect(shape(...sides)).toEqual(["new t2 -", "new t1 -", "only-mine - m1", "same both both"]);
  });

  it("treats files with equal name, size and time as the same, whatever their ids", () => {
    expect(shape([file("t", "a.pdf")], [stored(file("m", "a.pdf"))])).toEqual(["same t m"]);
  });

  it("reports which side has the later version of a name", () => {
    const later = { lastModified: 9_000, fileSize: 1_200 };
    expect(shape([file("t", "a.pdf", later)], [stored(file("m", "a.pdf"))])).toEqual(["newer t m"]);
    expect(shape([file("t", "a.pdf")], [stored(file("m", "a.pdf", later))])).toEqual(["older t m"]);
    expect(shape([file("t", "a.pdf", { fileSize: 999 })], [stored(file("m", "a.pdf"))])).toEqual([
      "newer t m",
    ]);
  });

  it("pairs the latest of each side when several files share a name, and loses none", () => {
    const theirs = [file("t1", "image.png"), file("t2", "image.png", { lastModified: 7_000 })];
    const mine = [
      stored(file("m1", "image.png", { lastModified: 1_000 })),
      stored(file("m2", "image.png", { lastModified: 2_000 })),
      stored(file("m3", "image.png")),
    ];
    // t1 is m3; t2 is a later version of the latest remaining file.
    expect(shape(theirs, mine)).toEqual(["newer t2 m2", "only-mine - m1", "same t1 m3"]);
  });

  it("distinguishes batches by their content, not by their number", () => {
    const batch = (fid: string, fileName: string, manifestDigest: string) => {
      const tree = { kind: "files", files: 20, folders: 0, manifestSize: 400, manifestDigest } as const;
      return file(fid, fileName, { tree });
    };
    const theirs = [batch("one", "20 files", "a"), batch("two", "20 files", "b")];
    const mine = [stored(batch("mine", "20 Dateien", "b")), stored(batch("other", "20 files", "c"))];
    expect(shape(theirs, mine)).toEqual(["new one -", "only-mine - other", "same two mine"]);
  });

  it("pairs partial files with their offers, and leaves out those that nobody offers", () => {
    const wanted = file("w", "b.mov");
    const part = stored(wanted, { state: "incomplete", storedBytes: 450 });
    const stray = stored(file("s", "stray.mov"), { state: "incomplete", storedBytes: 1 });
    expect(shape([wanted], [part, stray])).toEqual(["partial w w"]);
    // A partial file with the same name is not a version to compare with.
    expect(shape([file("t", "stray.mov")], [stray])).toEqual(["new t -"]);
  });

  it("accepts an empty side", () => {
    expect(shape([], [])).toEqual([]);
    expect(shape([file("t", "a")], [])).toEqual(["new t -"]);
    expect(shape([], [stored(file("m", "a"))])).toEqual(["only-mine - m"]);
  });
});
