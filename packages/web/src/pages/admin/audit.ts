import type { AuditEvent } from "@slipway/client/forge"
import { type Html, html } from "../../html/Html.ts"
import { empty, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { ownerFrame } from "../../layout/frames.ts"
import { time } from "../../layout/time.ts"
import { withQuery } from "../../layout/urls.ts"
import { page, type Visit } from "../../page/Page.ts"
import { loadOrganization, organizationOperations, orgIn, settingsTabs } from "../organizations/organization.ts"
import { adminView } from "./adminFrame.ts"

/** Returns the filter of an audit log in the URL, in the format of the API. */
const auditQuery = (visit: Visit) => {
  const filters = ["actor", "action"].flatMap((name) => {
    const value = visit.query.get(name)?.trim().slice(0, 255) ?? ""
    return value === "" ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(filters), page: pageNumber(visit), limit: rowsPerPage }
}

const row = (visit: Visit, { action, actor, address, created, outcome, subject }: AuditEvent): Html => {
  const { admin: t } = visit.texts
  const by =
    actor === null
      ? html`${t.nobody}`
      : html`<a href="${withQuery(visit.url, { actor: actor.login, page: undefined })}">${actor.login}</a>`
  return html`<li><div class="grow"><div class="row"><h3><code>${action}</code></h3>${outcome === "refused" && html`<span class="badge bad">${t.refused}</span>`}<span>${subject.name}</span></div><span class="small soft">${by} · ${time(visit, created)}${address !== "" && html` · ${address}`}</span></div></li>`
}

/** Renders an audit log with its filter form. */
const auditLog = (visit: Visit, events: ReadonlyArray<AuditEvent>): Html => {
  const { admin: t, issues } = visit.texts
  const field = (name: string, label: string) =>
    html`<input type="search" name="${name}" aria-label="${label}" placeholder="${label}" value="${visit.query.get(name) ?? ""}" maxlength="255">`
  const list =
    events.length === 0 ? empty(t.noEvents) : html`<ul class="rows">${events.map((each) => row(visit, each))}</ul>`
  return html`<form class="filters" role="search" aria-label="${issues.filter}" action="${visit.url.pathname}">${field("actor", t.actor)}${field("action", t.action)}<button class="button">${issues.filter}</button></form>
<section class="card" aria-label="${t.tabs.audit}">${list}</section>${pagination(visit, events.length === rowsPerPage)}`
}

/** `/admin/audit`: the audit log of the site, which can be filtered by actor and action. */
export const adminAuditPage = page({
  path: "/admin/audit",
  operations: ["admin.audit.list"],
  signIn: true,
  load: async (visit) => await visit.forge.admin.audit.list({ query: auditQuery(visit) }),
  view: (events, visit) => adminView(visit, "audit", auditLog(visit, events))
})

/** `/org/{org}/settings/audit`: the audit log of an organization, for its owners. */
export const organizationAuditPage = page({
  path: "/org/:org/settings/audit",
  operations: [...organizationOperations, "organization.audit.list"],
  signIn: true,
  load: async (visit) => {
    const [loaded, events] = await Promise.all([
      loadOrganization(visit, {}),
      visit.forge.organization.audit.list({ params: orgIn(visit), query: auditQuery(visit) })
    ])
    return { ...loaded, events }
  },
  view: ({ events, offers, organization }, visit) => ({
    title: `${visit.texts.admin.tabs.audit} · ${organization.username}`,
    frame: ownerFrame(organization, "settings", visit, offers),
    body: html`${settingsTabs(visit, organization.username, "audit")}<div class="title"><h2>${visit.texts.admin.tabs.audit}</h2></div>${auditLog(visit, events)}`
  })
})
