// biome-ignore-all lint/complexity/useArrowFunction: arrow functions are newer than ECMAScript 5
// Tells people whose browser cannot even read the app's code, which would leave them an empty page. It is written in
// ECMAScript 5 for that, and kept apart because a strict content security policy allows no inline script. Browsers that
// read the code and lack something else are told by src/app/shell/unsupported-screen.tsx, with the same words.
(function () {
  var told = false;
  var english = {
    title: "This browser is too old",
    newer: "Warren needs a newer version of this browser.",
    noWebRtc: "WebRTC is missing or turned off, so no direct connection can be made.",
    line: "Warren needs a browser that connects to others directly.",
  };
  var simplified = {
    title: "这个浏览器太旧了",
    newer: "Warren 需要这个浏览器的更新版本。",
    noWebRtc: "WebRTC 缺失或已关闭，因此无法直接连接。",
    line: "Warren 需要能与他人直接连接的浏览器。",
  };
  var traditional = {
    title: "這個瀏覽器太舊了",
    newer: "Warren 需要這個瀏覽器的更新版本。",
    noWebRtc: "缺少 WebRTC 或 WebRTC 已關閉，因此無法直接連線。",
    line: "Warren 需要能與他人直接連線的瀏覽器。",
  };

  /** Says it in the browser's first language, and tells the document which one that is. */
  function chooseWords() {
    var language = navigator.language || "";
    if (!/^zh/i.test(language)) return english;
    var isTraditional = /^zh-(hant|tw|hk|mo)/i.test(language);
    document.documentElement.lang = isTraditional ? "zh-TW" : "zh-CN";
    return isTraditional ? traditional : simplified;
  }

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
    var words = chooseWords();
    document.title = words.title + (words === english ? ", Warren" : " - Warren");
    var main = add(root, "main");
    main.style.cssText = "max-width:440px;margin:0 auto;padding:64px 20px;font:16px/1.5 system-ui,sans-serif";
    add(main, "h1", words.title);
    var reasons = add(main, "ul");
    var reason = add(reasons, "li", words.newer);
    reason.setAttribute("data-reason", "browser_version_too_low");
    if (!window.RTCPeerConnection) {
      reason = add(reasons, "li", words.noWebRtc);
      reason.setAttribute("data-reason", "browser_does_not_support_webrtc");
    }
    add(main, "p", words.line);
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
