import type { Access } from "@slipway/client/forge"
import { problemSummary } from "../../forms/fields.ts"
import { actionButton } from "../../forms/sections.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { avatar, card, empty, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { ownerFrame } from "../../layout/frames.ts"
import { pathOf } from "../../layout/urls.ts"
import { typed } from "../../page/FormState.ts"
import { page, type Visit } from "../../page/Page.ts"
import { AccessPreview, asPreview, previewCard, wantsPreview } from "../access/accessChanges.ts"
import { accessTable } from "../access/accessTable.ts"
import { loadOrganization, organizationOperations, orgIn, orgPath } from "./organization.ts"

const load = async (visit: Visit) => {
  const { forge, query } = visit
  const { offers, organization } = await loadOrganization(visit, {
    remove: "organization.member.remove",
    access: "organization.member.access"
  })
  const asked = query.get("access")
  const [members, accesses] = await Promise.all([
    forge.organization.member.list({
      params: orgIn(visit),
      query: { page: pageNumber(visit), limit: rowsPerPage }
    }),
    asked === null || asked === "" || !offers.access
      ? undefined
      : forge.organization.member.access({ params: { ...orgIn(visit), username: asked }, query: { limit: 50 } })
  ])
  return { organization, offers, members, accesses }
}

const accessCard = (visit: Visit, accesses: ReadonlyArray<Access> | undefined): Html => {
  if (accesses === undefined) return nothing
  const { organizations: t } = visit.texts
  const name = visit.query.get("access") ?? ""
  return card(t.accessOf(name), accesses.length === 0 ? empty(t.noAccess) : accessTable(visit, accesses, "repository"))
}

/**
 * `/org/{org}/members`: the members that the viewer can see. Owners also see the access of the members, and can remove
 * members.
 */
export const membersPage = page({
  path: "/org/:org/members",
  operations: [
    ...organizationOperations,
    "organization.member.list",
    "organization.member.access",
    "organization.member.remove"
  ],
  load,
  view: ({ accesses, members, offers, organization }, visit) => {
    const { organizations: t } = visit.texts
    const here = orgPath(organization.username, "members")
    return {
      title: `${t.members} · ${organization.username}`,
      frame: ownerFrame(organization, "members", visit, offers),
      body: html`<div class="title"><h2>${t.members}</h2></div>${problemSummary(visit)}${previewCard(visit)}${accessCard(visit, accesses)}
<section class="card" aria-label="${t.members}">${
        members.length === 0
          ? empty(t.noMembers)
          : html`<ul class="rows">${members.map(
              ({ avatar_url: picture, full_name: full, login }) =>
                html`<li>${avatar(picture, "big")}<div class="grow"><div class="row"><h3><a href="${pathOf(login)}">${login}</a></h3>${full !== "" && html`<span class="soft">${full}</span>`}</div></div>
<span class="row">${offers.access && html`<a href="${here}?${String(new URLSearchParams({ access: login }))}">${t.memberAccess}<span class="hidden-text"> ${login}</span></a>`}${offers.remove && html`${actionButton(visit, { do: "remove", user: login, preview: "yes" }, visit.texts.forms.previewShort, { about: t.previewRemovalOf(login) })}${actionButton(visit, { do: "remove", user: login }, t.removeMember, { className: "button danger", about: login })}`}</span></li>`
            )}</ul>`
      }</section>${pagination(visit, members.length === rowsPerPage)}`
    }
  },
  submit: async (visit) => {
    const { forge, form, url } = visit
    const params = { ...orgIn(visit), username: typed(form, "user") }
    if (params.username === "") return { problems: { "": visit.texts.forms.required } }
    if (wantsPreview(visit))
      return { outcome: new AccessPreview(await forge.organization.member.remove({ params, query: asPreview })) }
    await forge.organization.member.remove({ params })
    return { to: url.pathname }
  }
})
