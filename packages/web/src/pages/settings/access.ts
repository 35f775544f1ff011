import { type AccessExplanation, ServiceError } from "@slipway/client/forge"
import { type Html, html, nothing } from "../../html/Html.ts"
import { empty, linkButton, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { page, type Visit } from "../../page/Page.ts"
import { accessTable } from "../access/accessTable.ts"
import { namedIn } from "../code/revision.ts"
import { loadSettings, settingsOperations, settingsPath, settingsView } from "./settings.ts"

const actions = [
  "repository.read",
  "git.fetch",
  "git.push",
  "issue.create",
  "pull.create",
  "label.create",
  "repository.release.create",
  "git.wiki.push",
  "repository.actions.workflow.dispatch",
  "repository.edit",
  "repository.delete"
] as const

type Asked = (typeof actions)[number]

const askedAction = ({ query }: Visit): Asked => actions.find((each) => each === query.get("action")) ?? "git.push"

/** Loads the access explanation that the URL requests. Returns an error message if the forge rejects the request. */
const explained = async (visit: Visit, full: string): Promise<AccessExplanation | string | undefined> => {
  const user = visit.query.get("user")?.trim() ?? ""
  if (user === "" || visit.query.get("action") === null) return undefined
  const asked = { query: { user, action: askedAction(visit), resource: `repo:${full}` } }
  const found = await visit.forge.access.explain(asked).result()
  if (found.ok) return found.value
  if (!(found.error instanceof ServiceError)) throw found.error
  if (found.error.status === 404) return visit.texts.settings.mayNotExplain
  if (found.error.status === 422) return `${user} ${visit.texts.errors.noSuchName}`
  throw found.error
}

const load = async (visit: Visit) => {
  const repository = await loadSettings(visit)
  const [rows, explanation] = await Promise.all([
    visit.forge.repository.access.list({
      params: namedIn(visit),
      query: { page: pageNumber(visit), limit: rowsPerPage }
    }),
    explained(visit, repository.full_name)
  ])
  return { repository, rows, explanation }
}

const explanationView = (visit: Visit, explanation: AccessExplanation | string | undefined): Html => {
  if (explanation === undefined) return nothing
  const { settings: t } = visit.texts
  if (typeof explanation === "string") return html`<p class="alert warn" role="status">${explanation}</p>`
  const { allowed, changes, message, path, rules, user } = explanation
  const say = allowed ? t.allowed : t.refused
  return html`<div class="why" role="status"><p><b>${say(user?.login ?? "", t.actionNames[askedAction(visit)])}</b>${message !== "" && html` ${message}`}</p>
<p class="small">${rules.map((rule) => html`<code>${rule}</code> `)}</p>
<h3>${t.steps}</h3><ol>${path.map(({ asks, because, passed, stage }) => html`<li><span class="${passed ? "badge ok" : "badge bad"}">${passed ? t.passed : t.stopped}</span> ${stage}: ${asks}${because.length > 0 && html` <span class="soft">— ${because.join("; ")}</span>`}</li>`)}</ol>
${changes.length > 0 && html`<h3>${t.changes}</h3><ul>${changes.map((change) => html`<li>${change}</li>`)}</ul>`}</div>`
}

const question = (visit: Visit, explanation: AccessExplanation | string | undefined): Html => {
  const { settings: t } = visit.texts
  const chosen = askedAction(visit)
  return html`<section class="card" id="explain" aria-label="${t.explain}"><header><h2>${t.explain}</h2></header><div class="body"><p class="soft">${t.explainHint}</p>
<form class="form" action="${settingsPath(visit, "access")}#explain"><div class="field"><label for="explain-user">${t.user}</label><input id="explain-user" name="user" required maxlength="40" value="${visit.query.get("user") ?? ""}"></div>
<div class="field"><label for="explain-action">${t.action}</label><select id="explain-action" name="action">${actions.map((each) => html`<option value="${each}"${each === chosen && html` selected`}>${t.actionNames[each]}</option>`)}</select></div>
<button class="button">${t.explainButton}</button></form>${explanationView(visit, explanation)}</div></section>`
}

/**
 * `/{owner}/{repo}/settings/access`: all users with access to a repository, with their access level, grants and
 * reasons.
 */
export const accessSettingsPage = page({
  path: "/:owner/:repo/settings/access",
  operations: [...settingsOperations, "repository.access.list", "access.explain"],
  signIn: true,
  load,
  view: ({ explanation, repository, rows }, visit) => {
    const { settings: t } = visit.texts
    const explain = (user: string) =>
      `${settingsPath(visit, "access")}?${new URLSearchParams({ user, action: "git.push" })}#explain`
    const table =
      rows.length === 0
        ? empty(t.accessNone)
        : accessTable(
            visit,
            rows,
            "user",
            ({ user }) =>
              html`<p><a href="${explain(user.login)}">${t.explainWith}<span class="hidden-text">: ${user.login}</span></a></p>`
          )
    const body = html`<div class="title"><h2>${t.accessTitle}</h2><span class="push">${linkButton(settingsPath(visit, "collaboration"), t.addPeople, "people", "primary")}</span></div>
<p class="soft">${t.accessHint}${!repository.private && html` ${t.accessPublic}`}</p>
<section class="card" aria-label="${t.accessTitle}">${table}</section>${pagination(visit, rows.length === rowsPerPage)}${question(visit, explanation)}`
    return settingsView(visit, repository, "access", t.accessTitle, body)
  }
})
