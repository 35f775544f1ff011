import { icon } from "../assets/icons.ts"
import { buttonTo } from "../forms/fields.ts"
import { type Html, html } from "../html/Html.ts"
import type { View, Visit } from "../page/Page.ts"
import { avatar } from "./components.ts"
import { documentOf } from "./shell.ts"
import { pathOf } from "./urls.ts"

const accountMenu = (visit: Visit): Html => {
  const { texts, viewer } = visit
  if (viewer === undefined) {
    const here =
      visit.url.pathname === "/user/login"
        ? ""
        : `?${new URLSearchParams({ redirect_to: `${visit.url.pathname}${visit.url.search}` })}`
    return html`<a class="button" href="/user/login${here}">${texts.layout.signIn}</a>`
  }
  return html`<details class="menu right"><summary>${avatar(viewer.avatar_url)}<span class="label">${viewer.login}</span>${icon("chevron-down")}</summary><div>
<a href="${pathOf(viewer.login)}">${icon("person")}${texts.layout.profile}</a>
<a href="/user/settings">${icon("gear")}${texts.layout.settings}</a>
<a href="/milestones">${icon("milestone")}${texts.issues.milestones}</a>
<a href="/repo/create">${icon("plus")}${texts.layout.newRepository}</a>
${viewer.is_admin && html`<a href="/admin">${icon("shield-check")}${texts.admin.title}</a>`}
<a href="/org/create">${icon("organization")}${texts.organizations.newTitle}</a>
${buttonTo(visit, "/user/logout", html`${icon("sign-out")}${texts.layout.signOut}`, "link")}
</div></details>`
}

const topBar = (visit: Visit): Html => {
  const { texts } = visit
  return html`<header class="bar"><div>
<a class="brand" href="/">Slipway</a>
<form role="search" action="/search" aria-label="${texts.layout.siteSearch}"><input id="site-search" name="q" type="search" aria-label="${texts.layout.search}" placeholder="${texts.layout.search}" maxlength="255"></form>
<nav class="push" aria-label="${texts.layout.account}">${visit.viewer !== undefined && html`<a href="/issues">${icon("issue-opened")}<span class="label">${texts.issues.issues}</span></a><a href="/pulls">${icon("git-pull-request")}<span class="label">${texts.issues.pulls}</span></a><a href="/notifications">${icon("bell")}<span class="label">${texts.layout.inbox}</span></a>`}<a href="/explore/repos">${icon("globe")}<span class="label">${texts.layout.explore}</span></a>${accountMenu(visit)}</nav>
</div></header>`
}

/** Returns the complete HTML document of a page of the forge. */
export const document = (visit: Visit, view: View): string =>
  documentOf(visit, view, { brand: "Slipway", topBar: topBar(visit) })
