/** The content of a paste event: texts by their type, and files. */
export function fakeClipboard(texts: Readonly<Record<string, string>>, files: readonly File[]) {
  const filled = Object.entries(texts).filter(([, text]) => text !== "");
  return {
    types: [...filled.map(([type]) => type), ...(files.length > 0 ? ["Files"] : [])],
    items: files.map((file) => ({ kind: "file", getAsFile: () => file })),
    getData: (type: string) => texts[type] ?? "",
  };
}
