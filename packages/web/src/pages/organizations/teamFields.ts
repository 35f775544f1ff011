import type { CreateTeamOption, Team } from "@slipway/client/forge"
import { checkField, selectField, textField } from "../../forms/fields.ts"
import { type Html, html } from "../../html/Html.ts"
import { typed } from "../../page/FormState.ts"
import type { Visit } from "../../page/Page.ts"

/** The units (parts of a repository, such as issues) that a team can have access to, in the order of the table. */
export const teamUnits = [
  "repo.code",
  "repo.issues",
  "repo.pulls",
  "repo.releases",
  "repo.wiki",
  "repo.ext_wiki",
  "repo.ext_issues",
  "repo.projects",
  "repo.packages",
  "repo.actions"
] as const

const external: ReadonlyArray<string> = ["repo.ext_wiki", "repo.ext_issues"]
const levels = ["none", "read", "write", "admin"] as const
const visibilities = ["private", "limited", "public"] as const

const levelsOf = (unit: string): ReadonlyArray<string> => (external.includes(unit) ? ["none", "read"] : levels)

/** Renders the access level of a team for each unit (part of a repository, such as issues). */
export const unitTable = ({ texts: { access, organizations } }: Visit, team: Team): Html =>
  html`<table class="data"><caption class="hidden-text">${organizations.matrix}</caption><thead><tr><th scope="col">${access.unit}</th><th scope="col">${access.level}</th></tr></thead><tbody>${teamUnits.map(
    (unit) => {
      const level = team.units_map[unit] ?? "none"
      return html`<tr><th scope="row">${access.units[unit] ?? unit}</th><td><span class="badge">${access.levels[level] ?? level}</span></td></tr>`
    }
  )}</tbody></table>`

/**
 * Describes the access of a team. For an admin or owner team, it is one level; otherwise, the level for each accessible
 * unit.
 */
export const teamAccess = ({ texts: { access } }: Visit, { permission, units_map: units }: Team): string => {
  const level = (word: string) => access.levels[word] ?? word
  if (permission === "admin" || permission === "owner") return level(permission)
  const open = teamUnits.filter((unit) => units[unit] !== undefined && units[unit] !== "none")
  if (open.length === 0) return level("none")
  return open.map((unit) => `${access.units[unit] ?? unit}: ${level(units[unit] ?? "")}`).join(", ")
}

const matrixRow = (visit: Visit, team: Team | undefined, unit: string): Html => {
  const { access } = visit.texts
  const current = visit.form.values.get(unit) ?? team?.units_map[unit] ?? (team === undefined ? "read" : "none")
  const label = access.units[unit] ?? unit
  return html`<tr><th scope="row">${label}</th>${levels.map((level) =>
    levelsOf(unit).includes(level)
      ? html`<td><label><input type="radio" name="${unit}" value="${level}"${level === current && html` checked`}><span class="hidden-text">${label}: </span>${access.levels[level] ?? level}</label></td>`
      : html`<td class="soft">–</td>`
  )}</tr>`
}

/**
 * Renders the fields of a team: name, description, visibility, and the access level for each unit (part of a
 * repository).
 */
export const teamFields = (visit: Visit, team?: Team): Html => {
  const { access, organizations: t } = visit.texts
  return html`${textField(visit, { name: "name", label: t.teamName, value: team?.name ?? "", required: true })}
${textField(visit, { name: "description", label: t.description, value: team?.description ?? "" })}
${selectField(visit, {
  name: "visibility",
  label: t.teamVisibility,
  value: team?.visibility ?? "private",
  options: visibilities.map((value) => ({ value, label: t.teamVisibilities[value] }))
})}
${checkField(visit, { name: "all", label: t.allRepositories, checked: team?.includes_all_repositories ?? false })}
${checkField(visit, { name: "create", label: t.createRepositories, checked: team?.can_create_org_repo ?? false })}
${checkField(visit, { name: "admin", label: t.admin, checked: team?.permission === "admin" })}
<fieldset class="field group"><legend>${t.matrix}</legend><div class="scroll" tabindex="0" role="region" aria-label="${t.matrix}"><table class="data matrix"><thead><tr><th scope="col">${access.unit}</th>${levels.map((level) => html`<th scope="col">${access.levels[level] ?? level}</th>`)}</tr></thead><tbody>${teamUnits.map((unit) => matrixRow(visit, team, unit))}</tbody></table></div></fieldset>`
}

/** Returns the typed values of a team in the format of the API. */
export const teamIn = ({ form }: Visit): CreateTeamOption => {
  const visibility = visibilities.find((each) => each === typed(form, "visibility"))
  const units = teamUnits.map((unit) => [unit, levels.find((each) => each === typed(form, unit)) ?? "none"] as const)
  return {
    name: typed(form, "name").trim(),
    description: typed(form, "description").trim(),
    ...(visibility === undefined ? {} : { visibility }),
    includes_all_repositories: typed(form, "all") === "on",
    can_create_org_repo: typed(form, "create") === "on",
    ...(typed(form, "admin") === "on" ? { permission: "admin" } : { units_map: Object.fromEntries(units) })
  }
}

/** Maps API fields to form fields with another name. */
export const teamFieldNames = {
  includes_all_repositories: "all",
  can_create_org_repo: "create",
  permission: "admin",
  units: "",
  units_map: ""
} as const
