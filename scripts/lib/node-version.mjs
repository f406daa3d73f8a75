const least = { major: 20, minor: 19 };

/**
 * Whether Warren runs on this version of Node.
 * @param {string} version such as "20.19.0"
 */
export function isSupportedNode(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > least.major || (major === least.major && minor >= least.minor);
}

/** Exits with a message if this version of Node is too old. */
export function requireSupportedNode() {
  if (isSupportedNode(process.versions.node)) return;
  console.error(
    `Warren needs Node ${least.major}.${least.minor} or newer, and this is Node ${process.versions.node}. See https://nodejs.org.`,
  );
  process.exit(1);
}
