import type { Organization, Repository, Team, User } from "@slipway/client/forge"
import { textField } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { actionButton, formSection, otherProblems, typedNameProblem } from "../../forms/sections.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { avatar, card, empty, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { ownerFrame } from "../../layout/frames.ts"
import { pathOf } from "../../layout/urls.ts"
import { type Question, requireAllowed } from "../../page/decisions.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, page, type Submitted, type Visit } from "../../page/Page.ts"
import {
  AccessPreview,
  addButtons,
  asPreview,
  previewButtons,
  previewCard,
  previewOf,
  wantsPreview
} from "../access/accessChanges.ts"
import { offersOf, organizationOperations, orgIn, orgPath } from "./organization.ts"
import { teamFieldNames, teamFields, teamIn, unitTable } from "./teamFields.ts"

/** The name of the team of owners, which every organization has. */
const owners = "Owners"

/** Finds the team in the URL among the teams that the viewer can see. */
const teamOf = async (visit: Visit): Promise<Team> => {
  const name = (visit.params.team ?? "").toLowerCase()
  const found = visit.forge.organization.team.search({ params: orgIn(visit), query: { q: name, limit: 50 } })
  for await (const team of found) if (team.name.toLowerCase() === name) return team
  throw new NotFound()
}

type Removal = `remove ${string}`

const removalOf = ({ full_name: name }: Repository): Removal => `remove ${name}`

/**
 * Returns the access checks for the buttons that remove repositories from a team: the viewer must have admin access to
 * the repository.
 */
const removals = (team: Team, repositories: ReadonlyArray<Repository>): Readonly<Record<Removal, Question>> =>
  Object.fromEntries(
    (team.includes_all_repositories ? [] : repositories).map((each): readonly [Removal, Question] => [
      removalOf(each),
      ["repository.edit", `repo:${each.full_name}`]
    ])
  )

const load = async (visit: Visit) => {
  const { forge, viewer } = visit
  const team = await teamOf(visit)
  const params = { id: team.id }
  const own = viewer && forge.team.member.read({ params: { ...params, username: viewer.login } }).result()
  const query = { page: pageNumber(visit), limit: rowsPerPage }
  const about = `team:${team.id}`
  const [organization, members, repositories, membership] = await Promise.all([
    forge.organization.read({ params: orgIn(visit) }),
    forge.team.member.list({ params, query }),
    forge.team.repository.list({ params, query }),
    own
  ])
  const may = await offersOf<never, Removal | "add" | "delete" | "edit" | "remove">(
    visit,
    organization,
    {},
    {
      ...removals(team, repositories),
      edit: ["team.edit", about],
      delete: ["team.delete", about],
      add: ["team.member.add", about],
      remove: ["team.member.remove", about]
    }
  )
  // Members of the team add and remove the repositories that they administer.
  const holds = may.edit || membership?.ok === true
  return { organization, team, may, holds, members, repositories }
}

type Loaded = Awaited<ReturnType<typeof load>>

const memberRow = (
  visit: Visit,
  { may, team }: Loaded,
  { avatar_url: picture, full_name: full, login }: User
): Html => {
  const { forms, organizations: t } = visit.texts
  const preview = { do: "remove-member", user: login, preview: "yes" }
  return html`<li>${avatar(picture)}<div class="grow"><a href="${pathOf(login)}">${login}</a>${full !== "" && html`<div class="small soft">${full}</div>`}</div>${may.remove && html`<span class="row">${actionButton(visit, preview, forms.previewShort, { about: t.previewRemovalOf(login) })}${actionButton(visit, { do: "remove-member", user: login }, forms.remove, { className: "button danger", about: `${login} (${team.name})` })}</span>`}</li>`
}

const repositoryRow = (visit: Visit, { holds, may }: Loaded, repository: Repository): Html => {
  const { forms } = visit.texts
  const { full_name: full, name } = repository
  const mayRemove = holds && may[removalOf(repository)] === true
  const values = { do: "remove-repository", repository: name }
  return html`<li><div class="grow"><a href="${pathOf(...full.split("/"))}">${full}</a></div>${mayRemove && html`<span class="row">${actionButton(visit, { ...values, preview: "yes" }, forms.previewShort, { about: full })}${actionButton(visit, values, forms.remove, { className: "button danger", about: full })}</span>`}</li>`
}

const peopleCards = (visit: Visit, data: Loaded): Html => {
  const { organizations: t } = visit.texts
  const { holds, may, members, repositories, team } = data
  return html`${card(
    t.members,
    members.length === 0
      ? empty(t.noTeamMembers)
      : html`<ul class="rows">${members.map((each) => memberRow(visit, data, each))}</ul>`
  )}${may.add && formSection(visit, { key: "add-member", title: t.addMember, fields: (own) => textField(own, { name: "user", label: t.username, required: true, maxlength: 40 }), button: addButtons(visit, t.addMember) })}
${card(
  t.repositories,
  html`${team.includes_all_repositories && html`<div class="body"><p class="soft">${t.everyRepository}</p></div>`}${
    repositories.length === 0
      ? empty(t.noTeamRepositories)
      : html`<ul class="rows">${repositories.map((each) => repositoryRow(visit, data, each))}</ul>`
  }`
)}${holds && !team.includes_all_repositories && formSection(visit, { key: "add-repository", title: t.addRepository, fields: (own) => textField(own, { name: "repository", label: t.repositoryName, hint: t.repositoryHint, required: true, maxlength: 100 }), button: addButtons(visit, t.addRepository) })}
${pagination(visit, members.length === rowsPerPage || repositories.length === rowsPerPage)}`
}

const settings = (visit: Visit, { may, team }: Loaded): Html => {
  const { organizations: t } = visit.texts
  if (team.name === owners) return html`<p class="alert info">${t.ownersTeam}</p>`
  if (!may.edit) return card(t.teamAccess, unitTable(visit, team))
  return html`${formSection(visit, { key: "edit", title: t.settings, fields: (own) => teamFields(own, team), button: previewButtons(visit) })}${
    may.delete &&
    formSection(visit, {
      key: "delete",
      title: t.deleteTeam,
      hint: t.deleteTeamHint,
      danger: true,
      fields: (own) => textField(own, { name: "confirm", label: t.typeTeam, required: true }),
      button: html`<p class="row"><button class="button danger">${t.deleteTeam}</button><button class="button" name="preview" value="yes" formnovalidate>${visit.texts.forms.previewShort}</button></p>`
    })
  }`
}

/** Adds or removes a member or repository of a team, or returns a preview of that change. */
const changed = async (
  visit: Visit,
  action: Question | undefined,
  run: (query?: typeof asPreview) => Promise<ConstructorParameters<typeof AccessPreview>[0]>,
  missing: string
): Promise<Submitted> => {
  try {
    if (wantsPreview(visit)) return { outcome: new AccessPreview(await run(asPreview)) }
    await run()
    return { to: visit.url.pathname }
  } catch (error) {
    // A name that the forge doesn't show is a wrong value of the form, not a missing page.
    const isMissing = (error as { readonly status?: unknown }).status === 404
    if (isMissing && action !== undefined) await requireAllowed(visit, action)
    if (isMissing) return { problems: { [missing]: visit.texts.errors.noSuchName } }
    throw error
  }
}

const edit = async (visit: Visit, organization: string, { id }: Team): Promise<Submitted> => {
  if (typed(visit.form, "name").trim() === "") return { problems: { name: visit.texts.forms.required } }
  const sent = { params: { id }, body: teamIn(visit) }
  const query = wantsPreview(visit) ? { query: asPreview } : {}
  const edited = await visit.forge.team.edit({ ...sent, ...query }).result()
  if (!edited.ok) return rejectedAt(edited.error, teamFieldNames)
  return wantsPreview(visit)
    ? { outcome: previewOf(edited.value) }
    : { to: orgPath(organization, "teams", (edited.value as Team).name) }
}

const submit = async (visit: Visit): Promise<Submitted> => {
  const { forge, form, params, texts } = visit
  const team = await teamOf(visit)
  const org = params.org ?? ""
  const { id } = team
  const user = typed(form, "user").trim()
  const repository = typed(form, "repository").trim()
  switch (typed(form, "do")) {
    case "edit":
      return edit(visit, org, team)
    case "add-member":
      if (user === "") return { problems: { user: texts.forms.required } }
      return changed(
        visit,
        ["team.member.add", `team:${id}`],
        async (query) => forge.team.member.add({ params: { id, username: user }, ...(query && { query }) }),
        "user"
      )
    case "remove-member":
      return changed(
        visit,
        ["team.member.remove", `team:${id}`],
        async (query) => forge.team.member.remove({ params: { id, username: user }, ...(query && { query }) }),
        ""
      )
    case "add-repository":
      if (repository === "") return { problems: { repository: texts.forms.required } }
      return changed(
        visit,
        undefined,
        async (query) => forge.team.repository.add({ params: { id, org, repo: repository }, ...(query && { query }) }),
        "repository"
      )
    case "remove-repository":
      return changed(
        visit,
        undefined,
        async (query) =>
          forge.team.repository.remove({ params: { id, org, repo: repository }, ...(query && { query }) }),
        ""
      )
    case "delete": {
      if (wantsPreview(visit))
        return { outcome: new AccessPreview(await forge.team.delete({ params: { id }, query: asPreview })) }
      const problem = typedNameProblem(visit, "confirm", team.name)
      if (problem !== undefined) return { problems: { confirm: problem } }
      await forge.team.delete({ params: { id } })
      return { to: orgPath(org, "teams") }
    }
    default:
      throw new NotFound()
  }
}

const keys = ["edit", "delete", "add-member", "add-repository"]

const heading = ({ description, name }: Team, { username }: Organization, title: string): Html =>
  html`<div class="title"><h2><a href="${orgPath(username, "teams")}">${title}</a> <span class="soft">/</span> ${name}</h2>${description === "" ? nothing : html`<span class="soft">${description}</span>`}</div>`

/** `/org/{org}/teams/{team}`: the members, repositories and access levels of a team. Every change can be previewed. */
export const teamPage = page({
  path: "/org/:org/teams/:team",
  operations: [
    ...organizationOperations,
    "organization.team.search",
    "team.edit",
    "team.delete",
    "team.member.list",
    "team.member.read",
    "team.member.add",
    "team.member.remove",
    "team.repository.list",
    "team.repository.add",
    "team.repository.remove"
  ],
  load,
  view: (data, visit) => {
    const { may, organization, team } = data
    return {
      title: `${team.name} · ${organization.username}`,
      frame: ownerFrame(organization, "teams", visit, may),
      body: html`${heading(team, organization, visit.texts.organizations.teams)}${otherProblems(visit, keys)}${previewCard(visit)}<div class="columns"><div>${peopleCards(visit, data)}</div><div>${settings(visit, data)}</div></div>`
    }
  },
  submit
})
