import type { Access } from "@slipway/client/forge"
import { type Html, html } from "../../html/Html.ts"
import { pathOf } from "../../layout/urls.ts"
import type { Visit } from "../../page/Page.ts"

type Reason = Access["units"][string]["by"][number]

/**
 * Returns the description of an access rule in the language of the page. If it has no translation, returns the English
 * text of the forge.
 */
const ruleText = ({ texts: { access } }: Visit, { because, rule, teams }: Reason): string => {
  if (teams.length > 0) return teams.map((name) => access.team(name)).join(", ")
  return access.rules[rule] ?? because
}

/** Returns the distinct grants that give a user access to units (parts of a repository, such as issues). */
const throughOf = (visit: Visit, { units }: Access): string => {
  const reasons = Object.values(units).flatMap(({ by }) => by)
  return [...new Set(reasons.map((reason) => ruleText(visit, reason)))].join("; ")
}

const unitRow = (visit: Visit, unit: string, { by, level }: Access["units"][string]): Html => {
  const { access } = visit.texts
  return html`<li><b>${access.units[unit] ?? unit}</b>: ${access.levels[level] ?? level} <span class="soft">— ${by.map((reason, at) => html`${at > 0 && "; "}${ruleText(visit, reason)} (${access.rule} <code>${reason.rule}</code>)`)}</span></li>`
}

const first = (access: Access, by: "user" | "repository"): Html =>
  by === "user"
    ? html`<a class="user" href="${pathOf(access.user.login)}">${access.user.login}</a>${access.user.full_name !== "" && html` <span class="soft">${access.user.full_name}</span>`}`
    : html`<a href="${pathOf(...access.repository.full_name.split("/"))}">${access.repository.full_name}</a>`

const badge = (level: string): string => (level === "owner" || level === "admin" ? "badge info" : "badge")

/**
 * Renders a table of users or repositories, with the access level and the grants. A collapsed row shows the reasons for
 * each unit (part of a repository).
 */
export const accessTable = (
  visit: Visit,
  rows: ReadonlyArray<Access>,
  by: "user" | "repository",
  more: (access: Access) => Html = () => html``
): Html => {
  const { access: t, code, layout } = visit.texts
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${t.level}"><table class="data"><thead><tr><th scope="col">${by === "user" ? t.who : code.tabs}</th><th scope="col">${t.level}</th><th scope="col">${t.through}</th></tr></thead><tbody>${rows.map(
    (row) =>
      html`<tr><td>${first(row, by)}</td><td><span class="${badge(row.permission)}">${t.levels[row.permission] ?? row.permission}</span></td><td>${throughOf(visit, row)}</td></tr>
<tr class="reason"><td colspan="3"><details><summary>${layout.why}<span class="hidden-text"> ${by === "user" ? row.user.login : row.repository.full_name}</span></summary><div class="why small"><ul>${Object.entries(
        row.units
      ).map(([unit, each]) => unitRow(visit, unit, each))}</ul>${more(row)}</div></details></td></tr>`
  )}</tbody></table></div>`
}
