import { act, cleanup, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { fakeWarren } from "../testing/fake-warren.ts";
import { renderWithWarren } from "../testing/render-with-warren.tsx";
import SettingsPage from "./settings-page.tsx";

afterEach(() => {
  cleanup();
  history.replaceState(null, "", "/");
});

function open(section: string) {
  location.hash = section;
  const fake = fakeWarren();
  const { user } = renderWithWarren(<SettingsPage />, fake, { path: "/setting" });
  return { fake, user };
}

describe("the settings page", () => {
  it("lists its eight sections, opens the one in its address, and follows the address", async () => {
    open("sender");
    const links = within(screen.getByRole("navigation", { name: "Sections" })).getAllByRole("link");
    expect(links.map((link) => link.textContent)).toEqual([
      "Appearance",
      "Connection",
      "File Sender",
      "File Receiver",
      "Notifications",
      "Media",
      "About",
      "Advanced",
    ]);
    expect(screen.getByRole("heading", { level: 1, name: "File Sender" })).not.toBeNull();
    location.hash = "about";
    expect(await screen.findByRole("heading", { level: 1, name: "About" })).not.toBeNull();
    expect(screen.getByRole("link", { name: "About", current: true })).not.toBeNull();
  });

  it("opens Appearance for an unknown section", () => {
    open("nonsense");
    expect(screen.getByRole("heading", { level: 1, name: "Appearance" })).not.toBeNull();
  });

  it("applies a switch immediately and resets it; shows the default while it differs", async () => {
    const { fake, user } = open("appearance");
    const kept = screen.getByRole("switch", { name: "Show that you are writing" });
    expect(screen.queryByText("Default: on")).toBeNull();
    await user.click(kept);
    expect(fake.warren.settings.get().tellTyping).toBe(false);
    expect(screen.getByRole("switch", { description: /Default: on$/ })).toBe(kept);
    await user.click(screen.getByRole("button", { name: "Reset to default: Show that you are writing" }));
    expect(kept).toHaveProperty("checked", true);
    expect(screen.queryByText("Default: on")).toBeNull();
    expect(screen.queryByRole("button", { name: /Show that you/ })).toBeNull();
  });

  it.each([
    ["sender", "Copies of files you send", "Until you delete them"],
    ["receiver", "Accept without asking", "Small pictures"],
    ["appearance", "Clipboard sharing", "Ask before sending"],
  ])("sets and resets the options of a choice in %s: %s", async (section, name, byDefault) => {
    const { fake, user } = open(section);
    const before = fake.warren.settings.get();
    const choice = screen.getByRole<HTMLSelectElement>("combobox", { name });
    const shown = () => choice.options[choice.selectedIndex]?.text;
    expect(shown()).toBe(byDefault);
    const seen = new Set<string>();
    for (const { text } of [...choice.options]) {
      await user.selectOptions(choice, text);
      expect(shown()).toBe(text);
      seen.add(JSON.stringify(fake.warren.settings.get()));
    }
    expect(seen.size).toBe(3);
    await user.selectOptions(choice, choice.options[0]?.text ?? "");
    await user.click(screen.getByRole("button", { name: `Reset to default: ${name}` }));
    expect(shown()).toBe(byDefault);
    expect(fake.warren.settings.get()).toEqual(before);
  });

  it.each([
    ["sender", { keepSentFiles: false, automaticCacheDeletion: true }, "No copies"],
    ["receiver", { automaticDownload: true, automaticPictures: false }, "All files up to the limit"],
    ["appearance", { enableClipboard: false, pasteUnasked: true }, "Off"],
  ])("shows the decisive option of a combination that no choice sets, in %s", (section, options, label) => {
    location.hash = section;
    const fake = fakeWarren();
    fake.warren.settings.update(options);
    renderWithWarren(<SettingsPage />, fake, { path: "/setting" });
    expect(screen.getByRole("option", { name: label, selected: true })).not.toBeNull();
  });

  it("opens what is folded where something in it was changed", () => {
    location.hash = "advanced";
    const fake = fakeWarren();
    fake.warren.settings.set("blockSize", 48 * 1024);
    renderWithWarren(<SettingsPage />, fake, { path: "/setting" });
    expect(screen.getByRole("textbox", { name: "Block size" })).toHaveProperty("value", "48");
  });

  it("shows a number in its display unit, and keeps an invalid one in the field until it is corrected", async () => {
    const { fake, user } = open("advanced");
    await user.click(screen.getByRole("button", { name: "Troubleshooting" }));
    const field = screen.getByRole("textbox", {
      name: "Chunk size",
      description: /From 16 KiB to 4,096 KiB\.$/,
    });
    expect(field).toHaveProperty("value", "512");
    await user.clear(field);
    await user.type(field, "8");
    await user.tab();
    expect(field.getAttribute("aria-invalid")).toBe("true");
    expect(screen.getByRole("textbox", { description: /From 16 KiB to 4,096 KiB\./ })).toBe(field);
    expect(fake.warren.settings.get().chunkSize).toBe(524_288);
    await user.type(field, "0");
    expect(field.getAttribute("aria-invalid")).toBeNull();
    expect(fake.warren.settings.get().chunkSize).toBe(80 * 1024);
    expect(screen.getByRole("textbox", { description: /Default: 512 KiB$/ })).toBe(field);
    await user.click(screen.getByRole("button", { name: "Reset to default: Chunk size" }));
    expect(screen.getByRole("textbox", { name: "Chunk size" })).toHaveProperty("value", "512");
  });

  it.each([
    ["Block size", /From 4 KiB to 63 KiB\.$/],
    ["Send buffer threshold", /From 4 KiB to 64 KiB\.$/],
  ])("shows the effective range of %s", async (name, description) => {
    const { user } = open("advanced");
    await user.click(screen.getByRole("button", { name: "Troubleshooting" }));
    expect(screen.getByRole("textbox", { name, description })).not.toBeNull();
  });

  it("has no technical options in the file sections", () => {
    for (const section of ["sender", "receiver"]) {
      open(section);
      expect(screen.queryByText(/Chunk|Block|Channels|Ordered|threshold/)).toBeNull();
      cleanup();
    }
  });

  it("lists stored settings that could not be used", () => {
    location.hash = "sender";
    const fake = fakeWarren();
    Object.assign(fake.warren.settings, {
      dropped: [
        { name: "chunkSize", reason: "invalid" },
        { name: "servers", reason: "invalid-turn-method" },
      ],
    });
    renderWithWarren(<SettingsPage />, fake, { path: "/setting" });
    expect(screen.getByText(/were invalid.*Chunk size, STUN and TURN servers/)).not.toBeNull();
    expect(screen.getByText("parseTurnServer: invalid method")).not.toBeNull();
  });
});

describe("the connection section", () => {
  it("warns about relay only without a TURN server", async () => {
    const { user } = open("connection");
    await user.click(screen.getByRole("button", { name: "Servers" }));
    await user.click(screen.getByRole("switch", { name: "Hide your network address" }));
    expect(screen.getByText("No relay (TURN server) is set up, so this has no effect yet.")).not.toBeNull();
    expect(screen.getAllByRole("button", { name: "Add a TURN server" })).toHaveLength(2);
  });

  it("does not warn about relay only if the server provides relays", async () => {
    const { fake, user } = open("connection");
    await user.click(screen.getByRole("button", { name: "Servers" }));
    Object.assign(fake.warren, { hasRelay: () => true });
    await user.click(screen.getByRole("switch", { name: "Hide your network address" }));
    expect(screen.getByRole("switch", { name: "Hide your network address" })).toHaveProperty("checked", true);
    expect(screen.queryByText("No relay (TURN server) is set up, so this has no effect yet.")).toBeNull();
  });

  it("opens the TURN server form from that warning, and focuses it", async () => {
    open("connection");
    expect(screen.queryByRole("textbox", { name: "Address" })).toBeNull();
    act(() => history.pushState({ form: "turn" }, "", "#connection"));
    const address = await screen.findByRole("textbox", { name: "Address" });
    expect(document.activeElement).toBe(address);
  });

  it("accepts only valid addresses of a signalling server, and names a foreign host", async () => {
    const { fake, user } = open("connection");
    await user.click(screen.getByRole("button", { name: "Servers" }));
    const field = screen.getByRole("textbox", { name: "Signalling server" });
    await user.type(field, "https://signal.example{Enter}");
    expect(field.getAttribute("aria-invalid")).toBe("true");
    expect(fake.warren.settings.get().websocketUrl).toBeNull();
    await user.clear(field);
    await user.type(field, "wss://signal.example/ws{Enter}");
    expect(field.getAttribute("aria-invalid")).toBeNull();
    expect(fake.warren.settings.get().websocketUrl).toBe("wss://signal.example/ws");
    expect(screen.getByText(/signal\.example.* CONNECT_SRC/)).not.toBeNull();
  });

  it("adds a STUN server only once, and removes it", async () => {
    const { fake, user } = open("connection");
    await user.click(screen.getByRole("button", { name: "Servers" }));
    const stuns = () => fake.warren.settings.get().servers.stuns;
    const add = async (url: string) => {
      const field = screen.getByRole("textbox", { name: "Address" });
      await user.clear(field);
      await user.type(field, `${url}{Enter}`);
    };
    await user.click(screen.getByRole("button", { name: "Add a STUN server" }));
    await add("stun.example.org");
    expect(screen.getByText(/Start with stun:/)).not.toBeNull();
    await add("stun:stun.l.google.com:19302");
    expect(screen.getByText("This server is already in the list.")).not.toBeNull();
    await add("stun:stun.example.org");
    expect(stuns()).toEqual(["stun:stun.l.google.com:19302", "stun:stun.example.org"]);
    await user.click(screen.getByRole("button", { name: "Remove stun.l.google.com" }));
    expect(stuns()).toEqual(["stun:stun.example.org"]);
  });

  it("adds a TURN server with the fields of its method, tests it, and changes it", async () => {
    const { fake, user } = open("connection");
    await user.click(screen.getByRole("button", { name: "Servers" }));
    const turns = () => fake.warren.settings.get().servers.turns;
    await user.click(screen.getByRole("button", { name: "Add a TURN server" }));
    await user.click(screen.getByRole("radio", { name: "HMAC secret" }));
    await user.type(screen.getByRole("textbox", { name: "Address" }), "turn.example.org");
    await user.click(screen.getByRole("button", { name: "Save server" }));
    expect(screen.getByText(/Start with turn:/)).not.toBeNull();
    expect(screen.getByText("Needed to sign in.")).not.toBeNull();
    await user.clear(screen.getByRole("textbox", { name: "Address" }));
    await user.type(screen.getByRole("textbox", { name: "Address" }), "turn:turn.example.org");
    await user.type(screen.getByRole("textbox", { name: "Username" }), "warren");
    await user.type(screen.getByLabelText("Secret"), "master");
    const server = {
      authMethod: "hmac",
      url: "turn:turn.example.org",
      username: "warren",
      password: "master",
    };
    const form = within(screen.getByRole("region", { name: "TURN servers" }));
    await user.click(form.getByRole("button", { name: "Test" }));
    expect(fake.argsOf("checkServer")).toEqual([[server]]);
    expect(await form.findByText("Works")).not.toBeNull();
    expect(form.getByText("provided an address in 38 ms")).not.toBeNull();
    await user.click(screen.getByRole("button", { name: "Save server" }));
    expect(turns()).toEqual([server]);

    await user.click(screen.getByRole("button", { name: "Edit turn.example.org" }));
    await user.click(screen.getByRole("button", { name: "Remove" }));
    expect(turns()).toEqual([]);
  });

  it("rejects a pasted TURN server with an unknown method", async () => {
    const { fake, user } = open("connection");
    await user.click(screen.getByRole("button", { name: "Servers" }));
    await user.click(screen.getByRole("button", { name: "Paste as JSON" }));
    await user.click(screen.getByRole("textbox", { name: "TURN servers as JSON" }));
    await user.paste('{"url":"turn:a.example","authMethod":"kerberos","username":"u","password":"p"}');
    await user.click(screen.getByRole("button", { name: "Add" }));
    expect(screen.getByText("parseTurnServer: invalid method")).not.toBeNull();
    expect(fake.warren.settings.get().servers.turns).toEqual([]);
  });

  describe("with a server that the browser refuses", () => {
    const [stun, turn] = ["stun:a.example:99999", "turn:b.example?x"];
    const words = (url: string) => `This browser does not accept ${url} (no port).`;
    const refused = () => {
      const page = open("connection");
      for (const url of [stun, turn]) page.fake.refuseServer(url, "no port");
      return page;
    };

    it("does not add it, and says why", async () => {
      const { fake, user } = refused();
      await user.click(screen.getByRole("button", { name: "Servers" }));
      await user.click(screen.getByRole("button", { name: "Add a STUN server" }));
      await user.type(screen.getByRole("textbox", { name: "Address" }), `${stun}{Enter}`);
      expect(screen.getByText(words(stun))).not.toBeNull();
      await user.click(screen.getByRole("button", { name: "Cancel" }));
      await user.click(screen.getByRole("button", { name: "Add a TURN server" }));
      await user.type(screen.getByRole("textbox", { name: "Address" }), turn);
      await user.type(screen.getByRole("textbox", { name: "Username" }), "u{Enter}");
      expect(screen.getByText(words(turn))).not.toBeNull();
      await user.click(screen.getByRole("button", { name: "Cancel" }));
      await user.click(screen.getByRole("button", { name: "Paste as JSON" }));
      await user.click(screen.getByRole("textbox", { name: "TURN servers as JSON" }));
      await user.paste(JSON.stringify({ url: turn, username: "u", password: "p" }));
      await user.click(screen.getByRole("button", { name: "Add" }));
      expect(screen.getByText(words(turn))).not.toBeNull();
      expect(fake.warren.settings.get().servers).toEqual(
        fake.warren.settings.store.getInitialState().servers,
      );
    });

    it("names one that is in the list already", () => {
      const fake = fakeWarren();
      fake.refuseServer(stun, "no port");
      fake.setOptions({ servers: { stuns: [stun, "stun:c.example"], turns: [] } });
      location.hash = "connection";
      renderWithWarren(<SettingsPage />, fake, { path: "/setting" });
      const group = within(screen.getByRole("region", { name: "STUN servers" }));
      expect(group.getByText(words(stun))).not.toBeNull();
      expect(group.getAllByText("Refused")).toHaveLength(1);
    });

    it("names one that came with a link or from the server of the room", () => {
      const { fake } = refused();
      const values = { url: stun, reason: "no port" };
      act(() => fake.leaveOutServers([{ url: stun, error: { code: "server-refused", values } }]));
      expect(screen.getByText(words(stun))).not.toBeNull();
    });
  });
});
