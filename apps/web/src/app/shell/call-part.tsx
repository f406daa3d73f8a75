import { Loaded, onDemand } from "../../ui/on-demand.tsx";
import { useStore, useWarren } from "../../ui/warren-context.tsx";
import { paths } from "../paths.ts";

const callInShell = onDemand(() => import("../../call/call-in-shell.tsx"));

/** The room's call, on every page; its code is loaded when somebody first shares something. */
export function CallPart() {
  const call = useStore(useWarren().call.store);
  return (
    call && (
      <Loaded code={callInShell}>
        {({ CallInShell }) => <CallInShell call={call} path={paths.video} />}
      </Loaded>
    )
  );
}
