/** The DOM types lack trusted types; the policy's values are accepted wherever they expect a string. */
declare const trustedTypes:
  | {
      createPolicy(
        name: string,
        rules: { readonly createScriptURL: (address: string) => string },
      ): { createScriptURL(address: string): string };
    }
  | undefined;

/** The only policy that the content security policy allows; it accepts only addresses of this app. */
const policy =
  typeof trustedTypes === "undefined"
    ? null
    : trustedTypes.createPolicy("app-url", {
        createScriptURL(address) {
          if (new URL(address, location.href).origin !== location.origin)
            throw new TypeError("a script of another origin");
          return address;
        },
      });

/** The address of one of this app's scripts, in the form required to start a worker. */
export function trustedUrl(address: string): string {
  return policy ? policy.createScriptURL(address) : address;
}
