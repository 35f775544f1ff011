import type { AccountGroup, Grant, Project, Resource, Role } from "@slipway/client/deploy"
import {
  actionButton,
  card,
  empty,
  formSection,
  type Html,
  html,
  linkButton,
  otherProblems,
  selectField,
  typed
} from "@slipway/web/foundation"
import { type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { rejectedForm } from "../../page/rejections.ts"
import { accountField, groupPrefix, loadTeamAccounts, type NamedAccount, nameOf } from "./accounts.ts"
import { peopleFrame, tabQuestions } from "./peopleFrame.ts"

/** Maximum number of projects that the form lists. */
const mostProjects = 100

const placeTypes = ["team", "project", "environment", "application", "database", "service"] as const

type PlaceType = Grant["place_type"]

interface Loaded {
  readonly accounts: ReadonlyArray<NamedAccount>
  readonly grants: ReadonlyArray<Grant>
  readonly groups: ReadonlyArray<AccountGroup>
  readonly may: Readonly<Record<keyof typeof tabQuestions | "grant", boolean>>
  readonly projects: ReadonlyArray<Project>
  readonly resources: ReadonlyArray<Resource>
  readonly roles: ReadonlyArray<Role>
}

const typeOf = ({ type }: Resource): PlaceType => (type === "application" || type === "service" ? type : "database")

/** Returns the places (team, projects, resources) that the form lists, each with the value `type:uuid`. */
const placesOf = ({ texts }: ConsoleVisit, { projects, resources }: Loaded) => {
  const { people: t } = texts
  const environments = new Map(resources.map((each) => [each.environment_uuid, each]))
  const projectName = (uuid: string): string => projects.find((each) => each.uuid === uuid)?.name ?? uuid
  return [
    { value: "team:", label: t.wholeTeam },
    ...projects.map(({ name, uuid }) => ({ value: `project:${uuid}`, label: `${t.places.project}: ${name}` })),
    ...[...environments].map(([uuid, { environment_name: name, project_uuid: project }]) => ({
      value: `environment:${uuid}`,
      label: `${t.places.environment}: ${projectName(project)} / ${name}`
    })),
    ...resources.map((each) => ({
      value: `${typeOf(each)}:${each.uuid}`,
      label: `${t.places[typeOf(each)]}: ${each.name ?? each.uuid}`
    }))
  ]
}

/** Returns the value of the place of a grant in the form. */
const valueOf = ({ place_type: type, place_uuid: place }: Grant): string =>
  `${type}:${type === "team" ? "" : (place ?? "")}`

const rowOf = (visit: ConsoleVisit, loaded: Loaded, grant: Grant): Html => {
  const { people: t } = visit.texts
  const { account_uuid: account, group_uuid: group, place_type: type, place_uuid: place, role, uuid } = grant
  const value = valueOf(grant)
  const where =
    placesOf(visit, loaded).find((each) => each.value === value)?.label ?? `${t.places[type]}: ${place ?? ""}`
  const groupName = loaded.groups.find((each) => each.uuid === group)?.name ?? group
  const name = account === null ? `${t.group}: ${groupName}` : nameOf(loaded.accounts, account)
  const called = loaded.roles.find((each) => each.uuid === role)?.name ?? role
  return html`<li><div class="grow"><h3>${name}</h3><div class="small soft">${called} · ${where}</div></div>${loaded.may.grant && actionButton(visit, { do: "revoke", grant: uuid }, t.revoke, { about: `${name}, ${called}` })}</li>`
}

/** Shows the actions that the grant in the form would additionally allow. */
const preview = ({ form, texts }: ConsoleVisit): Html | false => {
  const { people: t } = texts
  if (!Array.isArray(form.outcome)) return false
  return html`<div class="alert info" role="status">${form.outcome.length === 0 ? html`<p>${t.noGains}</p>` : html`<p>${t.gains}</p><ul>${form.outcome.map((each) => html`<li><code>${String(each)}</code></li>`)}</ul>`}</div>`
}

const inputOf = ({ form }: ConsoleVisit) => {
  const [type = "", uuid = ""] = typed(form, "place").split(":")
  const recipient = typed(form, "account_uuid")
  return {
    ...(recipient.startsWith(groupPrefix)
      ? { group_uuid: recipient.slice(groupPrefix.length) }
      : { account_uuid: recipient }),
    place_type: placeTypes.find((each) => each === type) ?? "team",
    place_uuid: uuid === "" ? null : uuid,
    role: typed(form, "role")
  }
}

/** `/grants`: the grants of the viewer's team. The page adds a grant after a preview, and revokes grants. */
export const grantsPage = page<Loaded>({
  path: "/grants",
  operations: [
    "accounts.list",
    "people.check",
    "people.createGrant",
    "people.deleteGrant",
    "people.listGrants",
    "people.listGroups",
    "people.listRoles",
    "people.previewGrant",
    "projects.list",
    "resources.list",
    "resources.members"
  ],
  load: async (visit) => {
    const { people, projects, resources } = visit.deploy
    const [may, grants, groups, roles, ownProjects, ownResources] = await Promise.all([
      decisionsOn(visit, { ...tabQuestions, grant: ["grant.create"], accounts: ["account.list"] }),
      people.listGrants(),
      people.listGroups({ params: { id: "current" } }),
      people.listRoles(),
      projects.list({ query: { per_page: mostProjects } }),
      resources.list()
    ])
    const accounts = await loadTeamAccounts(visit, may.accounts)
    return { accounts, grants, groups, may, projects: ownProjects, resources: ownResources, roles }
  },
  view: (loaded, visit) => {
    const { accounts, groups, may, roles } = loaded
    const { people: t } = visit.texts
    const place = placesOf(visit, loaded).find(({ value }) => value === visit.query.get("place"))
    const grants = loaded.grants.filter((each) => place === undefined || valueOf(each) === place.value)
    return {
      title: t.grants,
      frame: peopleFrame(visit, "grants", may),
      body: html`${otherProblems(visit, ["add"])}${preview(visit)}
${card(place === undefined ? t.grants : `${t.grants} · ${place.label}`, grants.length === 0 ? empty(place === undefined ? t.noGrants : t.noGrantsHere) : html`<ul class="rows">${grants.map((each) => rowOf(visit, loaded, each))}</ul>`)}
${place !== undefined && html`<p>${linkButton("/grants", t.allGrants)}</p>`}
${
  may.grant &&
  formSection(visit, {
    key: "add",
    title: t.addGrant,
    hint: t.grantHint,
    fields: (own) => html`${accountField(own, accounts, groups)}
${selectField(own, { name: "role", label: t.role, options: roles.map(({ name }) => ({ value: name, label: name })) })}
${selectField(own, { name: "place", label: t.place, value: place?.value ?? "", options: placesOf(own, loaded) })}`,
    button: html`<button class="button" name="preview" value="yes">${t.preview}</button> <button class="button primary">${t.addGrant}</button>`
  })
}`
    }
  },
  submit: async (visit) => {
    const { form } = visit
    const { people } = visit.deploy
    try {
      if (typed(form, "do") === "revoke") {
        await people.deleteGrant({ params: { grant: typed(form, "grant") } })
        return { to: "/grants" }
      }
      const body = inputOf(visit)
      if (typed(form, "preview") === "yes") return { outcome: (await people.previewGrant({ body })).gains }
      await people.createGrant({ body })
      return { to: "/grants" }
    } catch (error) {
      return rejectedForm(error, ["account_uuid", "role"])
    }
  }
})
