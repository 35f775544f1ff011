import { addressOf } from "../assets/Asset.ts"
import { script, stylesheet } from "../assets/index.ts"
import { type Html, html, nothing, textOf } from "../html/Html.ts"
import type { BaseVisit, View } from "../page/BasePage.ts"
import { tabBar } from "./frames.ts"

/** The parts of an HTML document that differ between services. */
export interface Shell {
  /** The name of the service, which follows the page title in the document title. */
  readonly brand: string
  readonly topBar: Html
}

/** Returns the complete HTML document of a page, for any service. */
export const documentOf = (
  visit: BaseVisit,
  { assets, body, feeds, frame, title }: View,
  { brand, topBar }: Shell
): string => {
  const { language, texts } = visit
  const heading =
    frame === undefined
      ? nothing
      : html`<div class="title">${frame.heading}</div>${tabBar(visit, frame.label, frame.tabs, frame.tab)}`
  // Bundlers rewrite templates that contain the literal end tag of a script.
  return textOf(html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${brand}</title>
<link rel="stylesheet" href="${addressOf(stylesheet)}">
${assets !== undefined && html`<link rel="stylesheet" href="${addressOf(assets.style)}">`}<link rel="icon" href="/favicon.ico" type="image/svg+xml">
${feeds !== undefined && html`<link rel="alternate" type="application/rss+xml" title="RSS" href="${feeds}.rss"><link rel="alternate" type="application/atom+xml" title="Atom" href="${feeds}.atom">`}<script type="module" src="${addressOf(script)}"><\/script>${assets !== undefined && html`<script type="module" src="${addressOf(assets.script)}"><\/script>`}
</head>
<body>
<a class="skip" href="#main">${texts.layout.skip}</a>
${topBar}
<main id="main" tabindex="-1">${heading}${body}</main>
<footer class="foot"><span>Slipway</span><a href="/docs">${texts.layout.apiReference}</a></footer>
</body>
</html>
`)
}
