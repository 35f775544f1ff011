import { buttonTo, documentOf, type Html, html, icon, nothing, type View } from "@slipway/web/foundation"
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
<nav class="push" aria-label="${texts.start.navigation}">${viewer !== undefined && html`<a href="/projects">${icon("package")}<span class="label">${texts.start.projects}</span></a><a href="/servers">${icon("globe")}<span class="label">${texts.start.servers}</span></a><a href="/teams">${icon("people")}<span class="label">${texts.people.teams}</span></a><a href="/keys">${icon("gear")}<span class="label">${texts.administration.title}</span></a>`}${accountMenu(visit)}</nav>
</div></header>`
}

/** Returns the complete HTML document of a page of the console. */
export const document = (visit: ConsoleVisit, view: View): string =>
  documentOf(visit, view, { brand: visit.texts.start.brand, topBar: topBar(visit) })
