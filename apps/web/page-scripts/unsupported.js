// biome-ignore-all lint/complexity/useArrowFunction: arrow functions are newer than ECMAScript 5
// biome-ignore-all lint/style/useTemplate: and so are template literals
// Decides before the app starts whether this browser can run it; otherwise shows why, and src/app/boot.ts starts nothing.
// Also shows that the app's code did not arrive, which the app cannot do.
// Old browsers have to understand it, so it is ECMAScript 5. A file of its own, because the content security policy allows no
// inline script. The build writes the oldest versions into `data-minimum` (browserslist in package.json).
(function () {
  var minimum = JSON.parse(document.currentScript.getAttribute("data-minimum"));

  // Most browsers name others behind themselves, so the first match counts. On iOS every browser is the system's engine.
  var browsers = [
    { id: "ios_saf", name: "iOS", version: /(?:iPhone|iPad|iPod).*? OS (\d+)(?:_(\d+))?/ },
    { id: "edge", name: "Edge", version: /Edg(?:e|A)?\/(\d+)(?:\.(\d+))?/ },
    { id: "opera", name: "Opera", version: /(?:OPR|Opera)\/(\d+)(?:\.(\d+))?/ },
    { id: "firefox", name: "Firefox", version: /Firefox\/(\d+)(?:\.(\d+))?/ },
    { id: "chrome", name: "Chrome", version: /(?:Chrome|Chromium)\/(\d+)(?:\.(\d+))?/ },
    { id: "safari", name: "Safari", version: /Version\/(\d+)(?:\.(\d+))?.* Safari\// },
  ];

  var words = {
    "en-US": {
      title: "This browser cannot run Warren",
      titleOld: "This browser is too old",
      older: "Warren needs {browser} {minimum} or newer. This is {browser} {version}.",
      newer: "Update this browser to use Warren.",
      noWebRtc: "WebRTC is missing or turned off. Warren needs it to connect browsers directly.",
      line: "Warren runs in {list} and newer.",
      separator: ", ",
      missing: "Warren could not be loaded",
      missingLine: "Check your network, then try again.",
      tryAgain: "Try again",
    },
    "zh-CN": {
      title: "这个浏览器无法运行 Warren",
      titleOld: "这个浏览器太旧了",
      older: "Warren 需要 {browser} {minimum} 或更新的版本。现在是 {browser} {version}。",
      newer: "更新这个浏览器后才能使用 Warren。",
      noWebRtc: "WebRTC 缺失或已关闭。Warren 靠它让浏览器直接连接。",
      line: "Warren 可在 {list} 及更新的版本中运行。",
      separator: "、",
      missing: "Warren 没能加载",
      missingLine: "请检查网络，然后再试一次。",
      tryAgain: "再试一次",
    },
    "zh-TW": {
      title: "這個瀏覽器無法執行 Warren",
      titleOld: "這個瀏覽器太舊了",
      older: "Warren 需要 {browser} {minimum} 或更新的版本。目前是 {browser} {version}。",
      newer: "更新這個瀏覽器後才能使用 Warren。",
      noWebRtc: "缺少 WebRTC 或 WebRTC 已關閉。Warren 靠它讓瀏覽器直接連線。",
      line: "Warren 可在 {list} 及更新的版本中執行。",
      separator: "、",
      missing: "Warren 沒能載入",
      missingLine: "請檢查網路，然後再試一次。",
      tryAgain: "再試一次",
    },
  };

  function languageOfBrowser() {
    var language = navigator.language || "";
    if (!/^zh/i.test(language)) return "en-US";
    return /^zh-(hant|tw|hk|mo)/i.test(language) ? "zh-TW" : "zh-CN";
  }

  function fill(text, values) {
    return text.replace(/\{(\w+)\}/g, function (_all, name) {
      return values[name];
    });
  }

  /** The browser's name, version and minimum where its version is below it; null otherwise. */
  function tooLow() {
    var i, found, needed, major, minor;
    for (i = 0; i < browsers.length; i++) {
      found = browsers[i].version.exec(navigator.userAgent);
      if (!found) continue;
      needed = minimum[browsers[i].id].split(".");
      major = Number(found[1]);
      minor = Number(found[2] || 0);
      if (major > Number(needed[0]) || (major === Number(needed[0]) && minor >= Number(needed[1] || 0)))
        return null;
      return {
        browser: browsers[i].name,
        version: minor === 0 ? String(major) : major + "." + minor,
        minimum: minimum[browsers[i].id],
      };
    }
    return null;
  }

  /** Whether a browser that says no version, or not its own, lacks what every supported one has. */
  function lacksPlatform() {
    return (
      !("noModule" in document.createElement("script")) ||
      !Array.prototype.toSpliced ||
      !window.structuredClone ||
      !window.CompressionStream
    );
  }

  function lacksWebRtc() {
    return !window.RTCPeerConnection || !("createDataChannel" in window.RTCPeerConnection.prototype);
  }

  function add(parent, tag, text) {
    var element = document.createElement(tag);
    if (text) element.textContent = text;
    return parent.appendChild(element);
  }

  /** Puts a screen with a title in the place of the app. @returns what holds it, for more. */
  function show(title) {
    document.title = title + " · Warren";
    var root = document.getElementById("root");
    root.textContent = "";
    var main = add(root, "main");
    main.style.cssText =
      "box-sizing:border-box;max-width:480px;margin:0 auto;padding:15vh 20px 20px;font-family:system-ui,sans-serif;font-size:16px;line-height:1.5";
    var brand = add(main, "p");
    brand.style.cssText = "font-size:18px;font-weight:600";
    var mark = add(brand, "img");
    mark.src = document.querySelector("link[rel=icon]").href;
    mark.alt = "";
    mark.style.cssText =
      "display:inline-block;width:28px;height:28px;margin-right:12px;vertical-align:middle";
    brand.appendChild(document.createTextNode("Warren"));
    add(main, "h1", title).style.cssText = "margin:32px 0 8px;font-size:22px;font-weight:600;line-height:1.3";
    return main;
  }

  /** Says that the app's code did not arrive, where nothing else is shown yet. */
  function reportMissing() {
    var page = document.documentElement;
    if (page.hasAttribute("data-unsupported") || document.getElementById("root").firstChild) return;
    page.lang = languageOfBrowser();
    var text = words[page.lang];
    var main = show(text.missing);
    add(main, "p", text.missingLine).style.cssText = "margin:0 0 20px";
    var button = add(main, "button", text.tryAgain);
    button.style.cssText = "min-height:44px;padding:0 20px;font:inherit";
    button.addEventListener("click", function () {
      location.reload();
    });
    button.focus();
  }

  /** Shows the screen. `isOld` counts where a browser cannot read the app's code, whatever its version. */
  function check(isOld) {
    var page = document.documentElement;
    if (page.hasAttribute("data-unsupported")) return;
    var low = tooLow();
    isOld = isOld || low !== null || lacksPlatform();
    var noWebRtc = lacksWebRtc();
    if (!isOld && !noWebRtc) return;

    page.setAttribute("data-unsupported", "");
    page.lang = languageOfBrowser();
    var text = words[page.lang];
    var main = show(isOld ? text.titleOld : text.title);
    var reasons = add(main, "ul");
    reasons.style.cssText = "list-style:none;margin:0;padding:0";
    if (isOld) {
      add(reasons, "li", low ? fill(text.older, low) : text.newer).setAttribute(
        "data-reason",
        "browser_version_too_low",
      );
    }
    if (noWebRtc) {
      add(reasons, "li", text.noWebRtc).setAttribute("data-reason", "browser_does_not_support_webrtc");
    }
    var list = browsers.map(function (browser) {
      return browser.name + " " + minimum[browser.id];
    });
    add(main, "p", fill(text.line, { list: list.reverse().join(text.separator) })).style.cssText =
      "margin:16px 0 0;font-size:14px;opacity:.8";
  }

  check(false);
  // Browsers of unknown names may still lack syntax of the app's code.
  window.addEventListener("error", function (event) {
    if (event.error instanceof SyntaxError || /SyntaxError/.test(event.message || "")) check(true);
  });
  // A script that does not arrive says so at itself alone; the second half of the app is asked for by the first.
  window.addEventListener(
    "error",
    function (event) {
      if (event.target instanceof HTMLScriptElement) reportMissing();
    },
    true,
  );
  window.addEventListener("app-missing", reportMissing);
})();
