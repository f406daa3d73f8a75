import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { encodeText } from "../testing/encode-text.ts";
import { fakeWarren } from "../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../testing/render-with-warren.tsx";
import { SettingsFilePart } from "./settings-file-part.tsx";

afterEach(cleanup);

test.each(["utf-8", "utf-16le", "gb18030"])(
  "imports a file that an editor has saved in %s",
  async (encoding) => {
    const fake = fakeWarren();
    const text = JSON.stringify({ kind: "warren-settings", version: 1, profile: { name: "王小明" } });
    const file = new File(
      [encodeText(`${encoding === "gb18030" ? "" : "\uFEFF"}${text}`, encoding)],
      "settings.json",
    );
    const platform = { ...fakePlatform(), pickFiles: async () => [file] };
    const { user } = renderWithWarren(<SettingsFilePart />, fake, { platform });
    await user.click(screen.getByRole("button", { name: /^Import/ }));
    await screen.findByRole("dialog", { name: "Import settings?" });
    await user.click(screen.getByRole("button", { name: "Import" }));
    await waitFor(() => expect(fake.argsOf("updateProfile")).toEqual([[{ name: "王小明" }]]));
  },
);
