import { spawnSync } from "node:child_process";

/** Whether disks may be mounted and networks made here: root may, unless it is bound, as in many containers. */
export const mayChangeMachine =
  spawnSync("unshare", ["--mount", "--net", "ip", "link", "show", "lo"]).status === 0;
