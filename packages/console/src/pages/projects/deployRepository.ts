import { type Application, type ChoicesBody, ServiceError } from "@slipway/client/deploy"
import {
  card,
  formTo,
  type Html,
  html,
  nothing,
  problemSummary,
  type Submitted,
  selectField,
  textField,
  typed
} from "@slipway/web/foundation"
import { applicationPath } from "../../layout/links.ts"
import { statusBadge } from "../../layout/states.ts"
import { type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { conflictsOf, overrideField, rejectedChange } from "../applications/domainConflicts.ts"

/** The fields that the platform fills if exactly one resource is possible; otherwise it responds with the choices. */
const places = ["forge_app_uuid", "project_uuid", "environment_uuid", "server_uuid", "destination_uuid"] as const

type Choices = ChoicesBody["choices"]

const choicesIn = (error: unknown): Choices | undefined => {
  if (!(error instanceof ServiceError) || error.status !== 409) return undefined
  return (error.body as Partial<ChoicesBody> | undefined)?.choices
}

const repositoryIn = ({ form, query }: ConsoleVisit): string =>
  (form.values.get("git_repository") ?? query.get("repository") ?? "").trim()

/**
 * Lists the applications that are built from the page's repository. Returns none if the platform rejects the repository
 * name; the form then shows that problem.
 */
const applicationsOfRepository = async (visit: ConsoleVisit): Promise<ReadonlyArray<Application>> => {
  const repository = repositoryIn(visit)
  if (repository === "") return []
  try {
    return await visit.deploy.applications.list({ query: { repository } })
  } catch (error) {
    if (error instanceof ServiceError && error.status === 400) return []
    throw error
  }
}

/** Shows a select field for each field with several possible resources, and keeps the earlier selections. */
const placeFields = (visit: ConsoleVisit): Html => {
  // BOUNDARY: only the handler of this page sets the outcome; domain conflicts have none of these fields.
  const choices = (visit.form.outcome ?? {}) as Choices
  const { applications, words } = visit.texts
  const labels = {
    forge_app_uuid: applications.forge,
    project_uuid: words.project,
    environment_uuid: words.environment,
    server_uuid: words.server,
    destination_uuid: words.destination
  }
  return html`${places.map((name) => {
    const offered = choices[name] ?? []
    const chosen = typed(visit.form, name)
    if (offered.length > 0) {
      const options = offered.map((each) => ({ value: each.uuid, label: each.name }))
      return selectField(visit, { name, label: labels[name], options })
    }
    return chosen === "" ? nothing : html`<input type="hidden" name="${name}" value="${chosen}">`
  })}`
}

const applicationRow = ({ git_branch, name, status, uuid }: Application): Html =>
  html`<li>${statusBadge(status)}<div class="grow"><h3><a href="${applicationPath(uuid)}">${name ?? uuid}</a></h3><div class="small soft">${git_branch ?? ""}</div></div></li>`

const fieldNames = ["git_repository", "git_branch", "domains", ...places]

/**
 * `/deploy?repository=`: creates an application from a repository of a connected forge, and deploys it.
 *
 * The pages of the forge link to this page. The form creates the application with the viewer's permissions, after a
 * confirmation.
 */
export const deployRepositoryPage = page({
  path: "/deploy",
  operations: ["applications.list", "applications.createPrivateForgeApp", "people.check"],
  load: async (visit) => {
    const [present, may] = await Promise.all([
      applicationsOfRepository(visit),
      decisionsOn(visit, { create: ["application.create"] })
    ])
    return { present, may }
  },
  view: ({ may, present }, visit) => {
    const { applications: t, words } = visit.texts
    const repository = repositoryIn(visit)
    return {
      title: t.deployRepository,
      body: html`<div class="narrow"><div class="title"><h1>${t.deployRepository}</h1></div>${problemSummary(visit)}
${present.length > 0 && card(t.ofThisRepository, html`<ul class="rows">${present.map(applicationRow)}</ul>`)}
${
  may.create
    ? formTo(
        visit,
        "/deploy",
        html`${visit.form.outcome !== undefined && conflictsOf(visit).length === 0 && html`<p class="alert warn" role="status">${t.choose}</p>`}
${textField(visit, { name: "git_repository", label: t.repository, hint: t.ofForgeHint, required: true, value: repository })}
${placeFields(visit)}${textField(visit, { name: "git_branch", label: t.gitBranch, hint: t.defaultBranchHint })}
${textField(visit, { name: "domains", label: words.domains, hint: t.domainsHint })}${overrideField(visit)}
<p><button class="button primary">${t.createAndDeployNow}</button></p>`
      )
    : html`<p class="alert warn" role="status">${t.needsDeveloper}</p>`
}</div>`
    }
  },
  submit: async (visit): Promise<Submitted> => {
    const { deploy, form } = visit
    const sent = Object.fromEntries(
      ["git_branch", "domains", ...places].flatMap((name) => {
        const value = typed(form, name).trim()
        return value === "" ? [] : [[name, value]]
      })
    )
    const body = {
      ...sent,
      git_repository: repositoryIn(visit),
      instant_deploy: true,
      ...(typed(form, "force_domain_override") === "on" ? { force_domain_override: true } : {})
    }
    try {
      // BOUNDARY: a short repository name makes all other fields optional, which the type of the body does not say.
      const created = await deploy.applications.createPrivateForgeApp({ body: body as never })
      return { to: applicationPath(created.uuid) }
    } catch (error) {
      const choices = choicesIn(error)
      return choices === undefined ? rejectedChange(visit, error, fieldNames) : { outcome: choices }
    }
  }
})
