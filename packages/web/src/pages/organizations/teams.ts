import { formTo, problemSummary } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { html, nothing } from "../../html/Html.ts"
import { empty, linkButton, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { ownerFrame } from "../../layout/frames.ts"
import { requireAllowed } from "../../page/decisions.ts"
import { typed } from "../../page/FormState.ts"
import { page, type Visit } from "../../page/Page.ts"
import { loadOrganization, organizationOperations, orgIn, orgPath } from "./organization.ts"
import { teamAccess, teamFieldNames, teamFields, teamIn } from "./teamFields.ts"

/** `/org/{org}/teams`: the teams that the viewer can see. */
export const teamsPage = page({
  path: "/org/:org/teams",
  operations: [...organizationOperations, "organization.team.list"],
  load: async (visit) => {
    const query = { page: pageNumber(visit), limit: rowsPerPage }
    const teams = await visit.forge.organization.team.list({ params: orgIn(visit), query })
    return { teams, ...(await loadOrganization(visit, { create: "organization.team.create" })) }
  },
  view: ({ offers, organization, teams }, visit) => {
    const { organizations: t } = visit.texts
    const create = offers.create
      ? linkButton(orgPath(organization.username, "teams", "new"), t.newTeam, "plus", "primary")
      : nothing
    return {
      title: `${t.teams} · ${organization.username}`,
      frame: ownerFrame(organization, "teams", visit, offers),
      body: html`<div class="title"><h2>${t.teams}</h2><span class="push">${create}</span></div>
<section class="card" aria-label="${t.teams}">${
        teams.length === 0
          ? empty(t.noTeams, create)
          : html`<ul class="rows">${teams.map(
              (team) =>
                html`<li><div class="grow"><h3><a href="${orgPath(organization.username, "teams", team.name)}">${team.name}</a></h3>${team.description !== "" && html`<p>${team.description}</p>`}<span class="small soft">${teamAccess(visit, team)}</span></div></li>`
            )}</ul>`
      }</section>${pagination(visit, teams.length === rowsPerPage)}`
    }
  }
})

const loadNew = async (visit: Visit) => {
  const loaded = await loadOrganization(visit, {})
  await requireAllowed(visit, ["organization.team.create", `org:${loaded.organization.username}`])
  return loaded
}

/** `/org/{org}/teams/new`: creates a team. */
export const newTeamPage = page({
  path: "/org/:org/teams/new",
  operations: [...organizationOperations, "organization.team.create"],
  signIn: true,
  load: loadNew,
  view: ({ offers, organization }, visit) => {
    const { organizations: t } = visit.texts
    return {
      title: `${t.newTeam} · ${organization.username}`,
      frame: ownerFrame(organization, "teams", visit, offers),
      body: html`<section class="card" aria-label="${t.newTeam}"><header><h2>${t.newTeam}</h2></header><div class="body">${problemSummary(visit)}${formTo(
        visit,
        visit.url.pathname,
        html`${teamFields(visit)}<button class="button primary">${t.createTeam}</button>`
      )}</div></section>`
    }
  },
  submit: async (visit) => {
    if (typed(visit.form, "name").trim() === "") return { problems: { name: visit.texts.forms.required } }
    const response = await visit.forge.organization.team.create({ params: orgIn(visit), body: teamIn(visit) }).result()
    return response.ok
      ? { to: orgPath(visit.params.org ?? "", "teams", response.value.name) }
      : rejectedAt(response.error, teamFieldNames)
  }
})
