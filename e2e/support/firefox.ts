import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ElementHandle, launch, type Page } from "puppeteer-core";
import { expect } from "./fixtures.ts";
import { pictureOfCode, pictureSize } from "./made-camera.ts";

const firefox = process.env.FIREFOX_PATH || "/usr/bin/firefox-esr";
const startTimeoutMs = 120_000;
const findTimeoutMs = 60_000;

/** The accessibility role of a control or text. */
type Role = "button" | "link" | "menuitem" | "switch" | "textbox";

/**
 * A person in Debian's Firefox. Playwright drives only its own build of Firefox, so this one is driven over
 * WebDriver BiDi. Waiting is implemented here, because the library's uses `eval` inside the page, which
 * the content security policy forbids.
 */
export class FirefoxPerson {
  readonly #page: Page;
  readonly #folder: string;

  private constructor(page: Page, folder: string) {
    this.#page = page;
    this.#folder = folder;
  }

  /** Starts a Firefox with a new profile on the disk, and with further settings. */
  static async open(
    settings: Readonly<Record<string, boolean | number | string>> = {},
  ): Promise<FirefoxPerson> {
    const folder = await mkdtemp(join(tmpdir(), "warren-firefox-"));
    const browser = await launch({
      browser: "firefox",
      executablePath: firefox,
      headless: true,
      timeout: startTimeoutMs,
      extraPrefsFirefox: {
        // mDNS names instead of addresses require multicast, which few test machines support.
        "media.peerconnection.ice.obfuscate_host_addresses": false,
        // Without a network, the loopback address is the only one.
        "media.peerconnection.ice.loopback": true,
        // A fake camera and microphone, without a permission prompt.
        "media.navigator.streams.fake": true,
        "media.navigator.permission.disabled": true,
        // Drawn by Firefox itself: machines without a desktop have no service for notifications.
        "alerts.useSystemBackend": false,
        "browser.download.dir": folder,
        "browser.download.folderList": 2,
        "browser.download.useDownloadDir": true,
        ...settings,
      },
    });
    const page = await browser.newPage();
    page.setDefaultNavigationTimeout(startTimeoutMs);
    return new FirefoxPerson(page, folder);
  }

  get page(): Page {
    return this.#page;
  }

  async close(): Promise<void> {
    await this.#page.browser().close();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /**
   * Gives pages a name, and lets the camera on the back show what the test holds in front of it. The browser still opens its
   * own fake camera for them: it tells their addresses only to pages with a camera.
   */
  async lookWith(name: string): Promise<void> {
    const prepare = (own: string, [width, height]: readonly [number, number]): void => {
      if (localStorage.getItem("profile") === null)
        localStorage.setItem("profile", JSON.stringify({ name: own, roomId: "burrow", createdAt: 1 }));
      const canvas = document.createElement("canvas");
      Object.assign(canvas, { width, height });
      const pen = canvas.getContext("2d");
      const picture = new ImageData(width, height);
      // Streams of a canvas that is not drawn have no pictures.
      setInterval(() => pen?.putImageData(picture, 0, 0), 100);
      Object.assign(globalThis, { cameraPicture: picture });
      const media = navigator.mediaDevices;
      const getUserMedia = media.getUserMedia.bind(media);
      media.getUserMedia = async (constraints) => {
        const stream = await getUserMedia(constraints);
        const { video } = constraints ?? {};
        const isBack = typeof video === "object" && video.facingMode === "environment";
        return isBack ? canvas.captureStream(10) : stream;
      };
    };
    await this.#page.evaluateOnNewDocument(prepare, name, pictureSize);
  }

  /** Holds a code in front of the camera. */
  async look(code: string): Promise<void> {
    const luminance = pictureOfCode(code).subarray(0, pictureSize[0] * pictureSize[1]);
    const draw = (encoded: string): void => {
      const picture = Reflect.get(globalThis, "cameraPicture") as ImageData;
      for (const [index, byte] of [...atob(encoded)].entries())
        picture.data.set([byte.charCodeAt(0), byte.charCodeAt(0), byte.charCodeAt(0), 255], 4 * index);
    };
    await this.#page.evaluate(draw, luminance.toString("base64"));
  }

  /** The picture of the code on the screen, as a data URL of a PNG. */
  async codeOnScreen(): Promise<string> {
    const canvas = await this.#untilThere('canvas[aria-label="QR code of this device"]', "the code");
    const isDrawn = (element: Element) => (element as HTMLCanvasElement).toDataURL().length > 2_000;
    await expect.poll(() => canvas.evaluate(isDrawn), { timeout: findTimeoutMs }).toBe(true);
    return canvas.evaluate((element) => (element as HTMLCanvasElement).toDataURL("image/png"));
  }

  /** Opens a link as a newcomer, enters a name and joins. */
  async joinByLink(link: string, name: string): Promise<void> {
    await this.#page.goto(link);
    // The field already contains a name.
    await this.fill("Your name", name);
    await this.press("Join room");
  }

  /** Opens the dialog of one's own name and picture. */
  async openProfile(address: string): Promise<void> {
    await this.#page.goto(address);
    await this.press("Your picture");
  }

  /** Replaces the content of a field; three clicks select it. */
  async fill(field: string, text: string): Promise<void> {
    const found = await this.find("textbox", field);
    await found.click({ count: 3 });
    await found.type(text);
  }

  /** Chooses one's own picture in its dialog. */
  async choosePicture(path: string): Promise<void> {
    await this.#choose(() => this.press("Choose picture"), path);
  }

  /** The addresses of the pictures that the page shows in one place. */
  picturesIn(selector: string): Promise<string[]> {
    const addresses = (place: string) =>
      [...document.querySelectorAll<HTMLImageElement>(`${place} img`)].map(({ src }) => src);
    return this.#page.evaluate(addresses, selector);
  }

  /** Waits until the service worker has cached the whole app. */
  async untilCached(): Promise<void> {
    const stateOf = () =>
      this.#page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state);
    await expect.poll(stateOf, { timeout: findTimeoutMs }).toBe("activated");
  }

  /** Navigates as a link does, without involving the browser driver. */
  async go(path: string): Promise<void> {
    await this.#page.evaluate((address) => location.assign(address), path).catch(() => {});
  }

  async press(name: string, role: Role = "button"): Promise<void> {
    // The element may be re-rendered before the click.
    await expect(async () => (await this.find(role, name)).click()).toPass({ timeout: findTimeoutMs });
  }

  /** Makes the page believe that it is hidden, or seen again: a test's pages never are. */
  async turn(sight: "hidden" | "visible"): Promise<void> {
    await this.#page.evaluate((state) => {
      Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, sight);
  }

  /** The notifications that the browser shows for the page. */
  notifications(): Promise<readonly string[]> {
    return this.#page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      const notes = (await registration?.getNotifications()) ?? [];
      return notes.map(({ title, body }) => `${title}: ${body}`);
    });
  }

  /** Takes the service worker from the page, which then shows notifications itself; they are noted as the browser says. */
  async loseServiceWorker(): Promise<void> {
    await this.#page.evaluate(() => {
      const shown = new Set<Notification>();
      class Noted extends Notification {
        constructor(title: string, options?: NotificationOptions) {
          super(title, options);
          this.addEventListener("show", () => shown.add(this));
          this.addEventListener("close", () => shown.delete(this));
        }
      }
      Object.defineProperty(navigator, "serviceWorker", { value: undefined });
      Object.assign(globalThis, { Notification: Noted, ownNotifications: shown });
    });
  }

  /** The notifications that the browser shows of the page's own. */
  ownNotifications(): Promise<readonly string[]> {
    return this.#page.evaluate(() => {
      const shown = Reflect.get(globalThis, "ownNotifications") as ReadonlySet<Notification>;
      return [...shown].map(({ title, body }) => `${title}: ${body}`);
    });
  }

  /** The element with this role and exactly this name, once it exists. */
  find(role: Role, name: string): Promise<ElementHandle> {
    return this.#untilThere(`::-p-aria([name=${JSON.stringify(name)}][role="${role}"])`, `${role} “${name}”`);
  }

  async #untilThere(selector: string, what: string): Promise<ElementHandle> {
    let found: ElementHandle | null = null;
    await expect
      .poll(
        async () => {
          // A page that is being unloaded has no elements.
          found = await this.#page.$(selector).catch(() => null);
          return found !== null;
        },
        { message: `${what} in Firefox`, timeout: findTimeoutMs },
      )
      .toBe(true);
    if (found === null) throw new Error("lost what was found");
    return found;
  }

  /** Waits until the page contains a text. */
  async waitForText(text: string, timeoutMs = findTimeoutMs): Promise<void> {
    // As in `find`.
    const words = () => this.#page.evaluate(() => document.body.innerText).catch(() => "");
    await expect.poll(words, { message: "the page in Firefox", timeout: timeoutMs }).toContain(text);
  }

  /** Picks files through the composer's attach menu, as a person does. */
  async attach(...paths: readonly string[]): Promise<void> {
    await this.#choose(
      async () => {
        await this.press("Send files, a folder or clipboard text");
        await (await this.find("menuitem", "Files")).click();
      },
      ...paths,
    );
  }

  /** Answers the picker that `open` opens. */
  async #choose(open: () => Promise<void>, ...paths: readonly string[]): Promise<void> {
    // A headless Firefox closes its file dialog at once, without a choice.
    await this.#page.evaluate(() => {
      HTMLInputElement.prototype.click = () => {};
    });
    await open();
    const field = await this.#untilThere("input[type=file]", "the field for files");
    await (field as ElementHandle<HTMLInputElement>).uploadFile(...paths);
  }

  /** The path of a saved file, once it is complete. */
  async downloaded(fileName: string): Promise<string> {
    const path = join(this.#folder, fileName);
    // Firefox reserves the name with an empty file, and collects the bytes in another one beside it.
    const isWhole = async (): Promise<boolean> => {
      const names = await readdir(this.#folder);
      return names.length === 1 && names[0] === fileName && (await stat(path)).size > 0;
    };
    await expect
      .poll(() => isWhole().catch(() => false), {
        message: "downloads of Firefox",
        timeout: findTimeoutMs,
      })
      .toBe(true);
    return path;
  }
}
