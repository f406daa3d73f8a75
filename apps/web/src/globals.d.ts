/// <reference types="vite/client" />

/** Version of the app, from the root manifest. */
declare const __APP_VERSION__: string;
/** When this build was made, as an ISO 8601 time. */
declare const __BUILD_TIME__: string;
/** Short hash of the commit built, or "unknown" outside a checkout. */
declare const __COMMIT__: string;
/** The signalling server of a build whose pages come from elsewhere, or null. */
declare const __SIGNALLING_URL__: string | null;
/** Where the source is published. */
declare const __SOURCE_URL__: string;
/** The Firebase project by which browsers are introduced to each other; null with a server of Warren's. */
declare const __FIREBASE__: import("@warren/core/firebase").FirebaseConfig | null;

/** Lucide gives no types for its files but the icons'. */
declare module "lucide-react/dist/esm/createLucideIcon.mjs" {
  export { createLucideIcon as default } from "lucide-react";
}

/**
 * Trusted types, which the types of the DOM lack. What a policy returns is accepted wherever those expect a string.
 * Missing in some supported browsers.
 */
declare const trustedTypes: { createPolicy<Rules>(name: string, rules: Rules): Rules } | undefined;

/** In the specification and in browsers, and not yet in the types of the DOM. */
interface MediaTrackConstraintSet {
  voiceIsolation?: ConstrainBoolean;
  suppressLocalAudioPlayback?: ConstrainBoolean;
}

/** Hears what closes a layer, such as the Back gesture of Android. Missing in Firefox and Safari. */
declare class CloseWatcher extends EventTarget {
  destroy(): void;
}

/** Missing in Firefox and Safari. */
interface FileSystemFileHandle {
  remove?(): Promise<void>;
}
