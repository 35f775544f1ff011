import type { Access, Repository, Team, User } from "@slipway/client/forge"
import { selectField, textField } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { actionButton, formSection, otherProblems } from "../../forms/sections.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { avatar, card, empty, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { pathOf } from "../../layout/urls.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, page, type Submitted, type Visit } from "../../page/Page.ts"
import { namedIn } from "../code/revision.ts"
import { orgPath } from "../organizations/organization.ts"
import { teamAccess } from "../organizations/teamFields.ts"
import { loadSettings, settingsOperations, settingsPath, settingsView } from "./settings.ts"

const levels = ["read", "write", "admin"] as const

/** Returns the effective access levels of users. Reads the access list page by page, only until all users are found. */
const levelsOf = async (
  visit: Visit,
  users: ReadonlyArray<User>
): Promise<ReadonlyMap<string, Access["permission"]>> => {
  const found = new Map<string, Access["permission"]>()
  const missing = new Set(users.map(({ login }) => login))
  if (missing.size === 0) return found
  const all = visit.forge.repository.access.list({ params: namedIn(visit), query: { limit: 50 } })
  for await (const { permission, user } of all) {
    if (missing.delete(user.login)) found.set(user.login, permission)
    if (missing.size === 0) break
  }
  return found
}

const load = async (visit: Visit) => {
  const repository = await loadSettings(visit)
  const params = namedIn(visit)
  const query = { page: pageNumber(visit), limit: rowsPerPage }
  const [collaborators, teams] = await Promise.all([
    visit.forge.repository.collaborator.list({ params, query }),
    visit.forge.repository.team.list({ params, query: { limit: 50 } }).result()
  ])
  return {
    repository,
    collaborators,
    levels: await levelsOf(visit, collaborators),
    // Repositories of users have no teams.
    teams: teams.ok ? teams.value : undefined
  }
}

type Loaded = Awaited<ReturnType<typeof load>>

const levelOptions = ({ texts: { settings: t } }: Visit) => levels.map((value) => ({ value, label: t.levels[value] }))

const collaboratorRow = (visit: Visit, known: Loaded["levels"], { avatar_url: picture, login }: User): Html => {
  const { access, forms, layout, settings: t } = visit.texts
  const level = known.get(login)
  const why = `${settingsPath(visit, "access")}?${new URLSearchParams({ user: login, action: "git.push" })}#explain`
  const buttons = levels
    .filter((each) => each !== level)
    .map((each) =>
      actionButton(visit, { do: "set", collaborator: login, level: each }, t.levels[each], {
        className: "link",
        about: `${t.changeLevel}: ${login}`
      })
    )
  return html`<li>${avatar(picture)}<div class="grow"><a href="${pathOf(login)}">${login}</a>
<div class="small soft">${level !== undefined && html`${t.effective}: ${access.levels[level] ?? level} · `}<a href="${why}">${layout.why}<span class="hidden-text"> ${login}</span></a></div></div>
<span class="row"><details class="menu right"><summary class="button">${t.changeLevel}<span class="hidden-text"> ${login}</span></summary><div>${buttons}</div></details>${actionButton(visit, { do: "remove", collaborator: login }, forms.remove, { className: "button danger", about: login })}</span></li>`
}

const teamsCard = (visit: Visit, { owner }: Repository, teams: ReadonlyArray<Team>): Html => {
  const { forms, settings: t } = visit.texts
  return html`${card(
    t.teams,
    teams.length === 0
      ? empty(t.noTeams)
      : html`<ul class="rows">${teams.map(
          (team) =>
            html`<li><div class="grow"><a href="${orgPath(owner.login, "teams", team.name)}">${team.name}</a><div class="small soft">${teamAccess(visit, team)}</div></div>${!team.includes_all_repositories && actionButton(visit, { do: "remove-team", team: team.name }, forms.remove, { className: "button danger", about: team.name })}</li>`
        )}</ul>`
  )}${formSection(visit, { key: "add-team", title: t.addTeam, fields: (own) => textField(own, { name: "team", label: t.team, required: true }), button: t.addTeam })}`
}

const set = async (visit: Visit, collaborator: string): Promise<Submitted> => {
  if (collaborator === "") return { problems: { collaborator: visit.texts.forms.required } }
  const permission = levels.find((each) => each === typed(visit.form, "level")) ?? "write"
  const params = { ...namedIn(visit), collaborator }
  const added = await visit.forge.repository.collaborator.add({ params, body: { permission } }).result()
  if (added.ok) return { to: visit.url.pathname }
  if (added.error.status === 404) return { problems: { collaborator: visit.texts.errors.noSuchName } }
  return rejectedAt(added.error, { "": "collaborator" })
}

const addTeam = async (visit: Visit): Promise<Submitted> => {
  const team = typed(visit.form, "team").trim()
  if (team === "") return { problems: { team: visit.texts.forms.required } }
  const added = await visit.forge.repository.team.add({ params: { ...namedIn(visit), team } }).result()
  if (added.ok) return { to: visit.url.pathname }
  if (added.error.status === 404) return { problems: { team: visit.texts.errors.noSuchName } }
  return rejectedAt(added.error, { "": "team" })
}

/**
 * `/{owner}/{repo}/settings/collaboration`: the collaborators of a repository with their access levels, and its teams.
 */
export const collaborationSettingsPage = page({
  path: "/:owner/:repo/settings/collaboration",
  operations: [
    ...settingsOperations,
    "repository.access.list",
    "repository.collaborator.list",
    "repository.collaborator.add",
    "repository.collaborator.remove",
    "repository.team.list",
    "repository.team.add",
    "repository.team.remove"
  ],
  signIn: true,
  load,
  view: ({ collaborators, levels: known, repository, teams }, visit) => {
    const { settings: t } = visit.texts
    const list =
      collaborators.length === 0
        ? empty(t.noCollaborators)
        : html`<ul class="rows">${collaborators.map((each) => collaboratorRow(visit, known, each))}</ul>`
    const body = html`${otherProblems(visit, ["add", "add-team"])}${card(t.collaborators, list)}${pagination(visit, collaborators.length === rowsPerPage)}
${formSection(visit, {
  key: "add",
  title: t.addCollaborator,
  fields: (own) =>
    html`${textField(own, { name: "collaborator", label: t.user, required: true, maxlength: 40 })}${selectField(own, { name: "level", label: t.level, value: "write", options: levelOptions(visit) })}`,
  button: t.addCollaborator
})}${teams === undefined ? nothing : teamsCard(visit, repository, teams)}`
    return settingsView(visit, repository, "collaboration", t.collaboration, body)
  },
  submit: async (visit) => {
    const { forge, form, url } = visit
    const collaborator = typed(form, "collaborator").trim()
    switch (typed(form, "do")) {
      case "add":
      case "set":
        return set(visit, collaborator)
      case "remove":
        await forge.repository.collaborator.remove({ params: { ...namedIn(visit), collaborator } })
        return { to: url.pathname }
      case "add-team":
        return addTeam(visit)
      case "remove-team":
        await forge.repository.team.remove({ params: { ...namedIn(visit), team: typed(form, "team") } })
        return { to: url.pathname }
      default:
        throw new NotFound()
    }
  }
})
