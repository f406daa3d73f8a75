/** The only policy for addresses that the content security policy allows; it accepts only those of this app. */
const policy =
  typeof trustedTypes === "undefined"
    ? null
    : trustedTypes.createPolicy("app-url", {
        createScriptURL(address: string) {
          if (new URL(address, location.href).origin !== location.origin)
            throw new TypeError("a script of another origin");
          return address;
        },
      });

/** The address of one of this app's scripts, in the form required to start a worker. */
export function trustedUrl(address: string): string {
  return policy ? policy.createScriptURL(address) : address;
}
