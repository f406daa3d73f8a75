// biome-ignore-all lint/complexity/useArrowFunction: arrow functions are newer than ECMAScript 5
// Tells people whose browser cannot even read the app's code, which would leave them an empty page. It is written in
// ECMAScript 5 for that, and kept apart because a strict content security policy allows no inline script. Browsers that
// read the code and lack something else are told by src/app/shell/unsupported-screen.tsx, with the same words.
(function () {
  var told = false;
  var noWebRtc = "WebRTC is missing or turned off, so no direct connection can be made.";

  /** Whether the language parts that the code stands on are missing. */
  function lacksBuiltIns() {
    return (
      !Array.prototype.toSpliced || !Array.prototype.findLast || !Object.hasOwn || !window.structuredClone
    );
  }

  function add(parent, tag, text) {
    var element = document.createElement(tag);
    if (text) element.textContent = text;
    return parent.appendChild(element);
  }

  function tell() {
    var root = document.getElementById("root");
    if (told || !root || root.firstChild) return;
    told = true;
    document.title = "This browser is too old, Warren";
    var main = add(root, "main");
    main.style.cssText = "max-width:440px;margin:0 auto;padding:64px 20px;font:16px/1.5 system-ui,sans-serif";
    add(main, "h1", "This browser is too old");
    var reasons = add(main, "ul");
    var reason = add(reasons, "li", "Warren needs a newer version of this browser.");
    reason.setAttribute("data-reason", "browser_version_too_low");
    if (!window.RTCPeerConnection) {
      reason = add(reasons, "li", noWebRtc);
      reason.setAttribute("data-reason", "browser_does_not_support_webrtc");
    }
    add(main, "p", "Warren needs a browser that connects to others directly.");
  }

  // Without modules the code is not even fetched. This file is deferred: the page is there.
  if (!("noModule" in document.createElement("script"))) return tell();
  window.addEventListener("error", function (event) {
    var cannotRead = event.error instanceof SyntaxError || /SyntaxError/.test(event.message || "");
    if (cannotRead || lacksBuiltIns()) tell();
  });
  window.addEventListener("unhandledrejection", function () {
    if (lacksBuiltIns()) tell();
  });
})();
