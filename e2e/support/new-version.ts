import { createHash } from "node:crypto";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const built = fileURLToPath(new URL("../../apps/web/dist", import.meta.url));

/** A copy of the built web app that can change its version. */
export interface VersionedBuild {
  readonly folder: string;
  /**
   * Changes the description of the page and everything derived from it in the service worker, as the next build would.
   */
  describe(text: string): Promise<void>;
  remove(): Promise<void>;
}

/** Copies the built web app. */
export async function copyBuild(): Promise<VersionedBuild> {
  const folder = await mkdtemp(join(tmpdir(), "warren-build-"));
  await cp(built, folder, { recursive: true });
  const [page, worker] = [join(folder, "index.html"), join(folder, "sw.js")];
  return {
    folder,
    async describe(text) {
      const [before, code] = await Promise.all([readFile(page, "utf8"), readFile(worker, "utf8")]);
      const after = before.replace(/(<meta name="description" content=")[^"]*/, `$1${text}`);
      const version = createHash("sha256").update(after).digest("hex").slice(0, 16);
      const next = code
        .replace(integrityOf(before), integrityOf(after))
        .replace(/version:`[0-9a-f]{16}`/, `version:\`${version}\``)
        .replace(/postMessage\(`([0-9a-f]+|unknown) [^`]+`\)/, `postMessage(\`${version} now\`)`);
      await Promise.all([writeFile(page, after), writeFile(worker, next)]);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function integrityOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
