import { useStore, useWarren } from "../../components/warren-context.tsx";
import { Loaded, onDemand } from "../../ui/on-demand.tsx";
import { paths } from "../paths.ts";

const callInShell = onDemand(() => import("../../call/call-in-shell.tsx"));

/** The call of the room on every page; its code comes when somebody first shares something. */
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
