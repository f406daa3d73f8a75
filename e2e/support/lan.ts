import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Joins two network namespaces by a cable, prints the process that holds each, and lasts as long as its input. */
const cable = `
set -e
unshare --net sleep 86400 &
other=$!
until [ "$(readlink /proc/$other/ns/net)" != "$(readlink /proc/$$/ns/net)" ]; do sleep 0.05; done
ip link add lan0 type veth peer name lan0 netns $other
plug='ip link set lo up; ip address add $0/24 dev lan0; ip link set lan0 up'
sh -ec "$plug" 10.77.0.1
nsenter --target $other --net sh -ec "$plug" 10.77.0.2
echo $$ $other
read end || true
kill $other
`;
const inNewNamespaces = ["--user", "--map-root-user", "--net"];

/** A network of two machines and nothing else: no server, no gateway, no names. */
export class Lan {
  /** A program that starts Chromium on each machine. */
  readonly programs: readonly string[];
  readonly #cable: ChildProcess;

  private constructor(cable: ChildProcess, programs: readonly string[]) {
    this.#cable = cable;
    this.programs = programs;
  }

  /**
   * @param folder for the programs; it has to exist
   * @returns null where the system lets no process have a network of its own
   */
  static async open(folder: string, chromium: string): Promise<Lan | null> {
    if (spawnSync("unshare", [...inNewNamespaces, "ip", "link"]).status !== 0) return null;
    const holder = spawn("unshare", [...inNewNamespaces, "sh", "-c", cable], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const lines = createInterface(holder.stdout);
    const [line] = await Promise.race([once(lines, "line"), once(lines, "close")]);
    if (line === undefined) throw new Error("the machines were not joined; the reason is in the output");
    const programs = String(line)
      .split(" ")
      .map((holderId, index) => ({
        path: join(folder, `machine-${index}`),
        script: `#!/bin/sh\nexec nsenter --target ${holderId} --user --net --preserve-credentials -- ${chromium} "$@"\n`,
      }));
    for (const { path, script } of programs) {
      await writeFile(path, script);
      await chmod(path, 0o755);
    }
    return new Lan(
      holder,
      programs.map(({ path }) => path),
    );
  }

  async close(): Promise<void> {
    const ended = once(this.#cable, "exit");
    this.#cable.stdin?.end();
    await ended;
  }
}
