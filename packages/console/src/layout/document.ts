import {
  addressOf,
  buttonTo,
  type Html,
  html,
  icon,
  nothing,
  script,
  stylesheet,
  tabBar,
  textOf,
  type View
} from "@slipway/web/foundation"
import type { ConsoleVisit } from "../page/ConsolePage.ts"
import { signInAt } from "./links.ts"

const accountMenu = (visit: ConsoleVisit): Html => {
  const { texts, url, viewer } = visit
  if (viewer === undefined)
    return url.pathname === "/login"
      ? nothing
      : html`<a class="button" href="${signInAt(`${url.pathname}${url.search}`)}">${texts.layout.signIn}</a>`
  return html`<details class="menu right"><summary>${icon("person")}<span class="label">${viewer.name}</span>${icon("chevron-down")}</summary><div>
<a href="/account">${icon("gear")}${texts.layout.account}</a>
${buttonTo(visit, "/logout", html`${icon("sign-out")}${texts.layout.signOut}`, "link")}
</div></details>`
}

const topBar = (visit: ConsoleVisit): Html => {
  const { texts, viewer } = visit
  return html`<header class="bar"><div>
<a class="brand" href="/">${texts.start.brand}</a>
<nav class="push" aria-label="${texts.start.navigation}">${viewer !== undefined && html`<a href="/projects">${icon("package")}<span class="label">${texts.start.projects}</span></a><a href="/servers">${icon("globe")}<span class="label">${texts.start.servers}</span></a>`}${accountMenu(visit)}</nav>
</div></header>`
}

/** Returns the complete document of a page of the console. */
export const document = (visit: ConsoleVisit, { body, frame, title }: View): string => {
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
<title>${title} · ${texts.start.brand}</title>
<link rel="stylesheet" href="${addressOf(stylesheet)}">
<link rel="icon" href="/favicon.ico" type="image/svg+xml">
<script type="module" src="${addressOf(script)}"><\/script>
</head>
<body>
<a class="skip" href="#main">${texts.layout.skip}</a>
${topBar(visit)}
<main id="main" tabindex="-1">${heading}${body}</main>
<footer class="foot"><span>Slipway</span><a href="/docs">${texts.layout.apiReference}</a></footer>
</body>
</html>
`)
}
