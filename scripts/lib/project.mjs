import { fileURLToPath } from "node:url";

/** The folder of the repository. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

/** The built server. */
export const serverEntry = fileURLToPath(new URL("../../apps/server/dist/main.js", import.meta.url));
