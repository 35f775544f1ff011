import { type Html, html } from "../../html/Html.ts"
import type { Frame } from "../../page/Frame.ts"
import type { View, Visit } from "../../page/Page.ts"

/** The keys of the tabs of the administration pages, in their order. */
export const adminTabs = [
  "overview",
  "users",
  "organizations",
  "emails",
  "hooks",
  "runners",
  "tasks",
  "notices",
  "unadopted",
  "config",
  "audit"
] as const

/** The key of a tab of the administration pages. */
export type AdminTab = (typeof adminTabs)[number]

const frameOf = ({ texts: { admin: t } }: Visit, tab: AdminTab): Frame => ({
  heading: html`<h1>${t.title}</h1>`,
  label: t.title,
  tabs: adminTabs.map((key) => ({ key, label: t.tabs[key], to: key === "overview" ? "/admin" : `/admin/${key}` })),
  tab
})

/**
 * Returns a page of the administration, with its tabs. Other users never see such a page, because the API rejects their
 * requests.
 */
export const adminView = (visit: Visit, tab: AdminTab, body: Html, title?: string): View => {
  const { admin: t } = visit.texts
  const heading = title ?? t.tabs[tab]
  return {
    title: `${heading} · ${t.title}`,
    frame: frameOf(visit, tab),
    body: html`<div class="title"><h2>${heading}</h2></div>${body}`
  }
}
