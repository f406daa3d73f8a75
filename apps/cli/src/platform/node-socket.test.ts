import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Identity, systemClock, WebsocketSignalling } from "@warren/core";
import { describeSignallingBackend } from "@warren/core/testing/signalling";
import { startTestServer } from "../../../server/src/testing/test-server.ts";
import { machineEnvironment } from "./machine-environment.ts";
import { openSocket } from "./node-socket.ts";
import { SettingsFile } from "./settings-file.ts";

/** No key: the contract chooses its ids. */
const identity: Pick<Identity, "publicKey" | "sign"> = {
  publicKey: new Uint8Array(0),
  sign: async () => new Uint8Array(0),
};

describeSignallingBackend("terminal", async () => {
  const server = await startTestServer();
  const folder = mkdtempSync(join(tmpdir(), "warren-signalling-"));
  let pages = 0;
  return {
    page: () =>
      new WebsocketSignalling({
        identity,
        openSocket,
        url: () => `ws://localhost:${server.port}/ws`,
        clock: systemClock,
        environment: machineEnvironment,
        storage: new SettingsFile(join(folder, `settings-${pages++}.json`)),
      }),
    close: async () => {
      await server.stop(0);
      rmSync(folder, { recursive: true });
    },
  };
});
