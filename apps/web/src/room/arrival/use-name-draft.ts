import { displayNameSchema, v } from "@warren/protocol";
import { useEffect, useState } from "react";
import { useProfile } from "../../wiring/warren-context.ts";

/** The draft of my name before joining. */
export function useNameDraft() {
  const profile = useProfile();
  const [name, setName] = useState(profile.name);
  // The join form and other tabs change it too.
  useEffect(() => setName(profile.name), [profile.name]);
  return { name, setName, isValid: v.is(displayNameSchema, name) };
}
