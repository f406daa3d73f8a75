/** The DOM types do not know trusted types; what the policy makes is taken wherever they ask for a string. */
declare const trustedTypes:
  | {
      createPolicy(
        name: string,
        rules: { readonly createScriptURL: (address: string) => string },
      ): { createScriptURL(address: string): string };
    }
  | undefined;

/** The only policy the content security policy allows; it lets through addresses of this app alone. */
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

/** The address of one of this app's own scripts, in the form the browser takes for workers. */
export function trustedUrl(address: string): string {
  return policy ? policy.createScriptURL(address) : address;
}
