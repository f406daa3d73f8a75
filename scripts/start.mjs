import { ensureBuilt } from "./lib/built.mjs";
import { ensureInstalled } from "./lib/installed.mjs";
import { requireSupportedNode } from "./lib/node-version.mjs";
import { certificateFolder, ownCertificate, ownHosts } from "./lib/own-certificate.mjs";
import { serverEntry } from "./lib/project.mjs";
import { exitCodeOf, forwardSignals, start } from "./lib/run.mjs";

requireSupportedNode();

const [flag, ...rest] = process.argv.slice(2);
if (rest.length > 0 || (flag !== undefined && flag !== "--https")) {
  console.error("npm start takes no argument but --https: npm start -- --https");
  process.exit(1);
}

const preparationCode = (await ensureInstalled()) || (await ensureBuilt());
if (preparationCode !== 0) process.exit(preparationCode);

/** The settings of https with a certificate of this machine. */
async function httpsSettings() {
  if (process.env.TLS_CERT || process.env.TLS_KEY) {
    console.error("--https makes a certificate of its own: leave it out, or TLS_CERT and TLS_KEY.");
    process.exit(1);
  }
  const { certFile, keyFile } = await ownCertificate(certificateFolder(), ownHosts());
  console.log("Each browser warns once of this machine's own certificate: choose to continue.");
  return { TLS_CERT: certFile, TLS_KEY: keyFile };
}

const settings = flag === "--https" ? await httpsSettings() : {};
const server = start(process.execPath, ["--enable-source-maps", serverEntry], settings);
forwardSignals([server]);
process.exit(await exitCodeOf(server));
