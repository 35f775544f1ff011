import { type ForgeApp, type HostedRepository, ServiceError } from "@slipway/client/deploy"
import {
  card,
  empty,
  type Html,
  html,
  nothing,
  selectField,
  textField,
  typed,
  withQuery
} from "@slipway/web/foundation"
import { applicationPath } from "../../../layout/links.ts"
import type { ConsoleVisit } from "../../../page/ConsolePage.ts"
import { branchField, buildFields, repositoryNames } from "./applicationSources.ts"
import { applicationFields } from "./creation.ts"
import { detectedRepositoryIn } from "./detection.ts"
import type { Source } from "./sourcePage.ts"

/** The most repositories that the page lists; the search finds the others. */
const mostRepositories = 30

interface Hosted {
  readonly forges: ReadonlyArray<ForgeApp>
  readonly forge: ForgeApp | undefined
  readonly repositories: ReadonlyArray<HostedRepository>
  /** The repository in the form. */
  readonly repository: string
  readonly branches: ReadonlyArray<string>
  readonly defaultBranch: string
  /** Why the git host returned no list. */
  readonly failure: string | undefined
}

/** Returns the typed value of a field, or the one in the address of the page. */
const chosenIn = ({ form, query }: ConsoleVisit, field: string, parameter: string): string =>
  (form.values.get(field) ?? query.get(parameter) ?? "").trim()

/** Reads from the git host; an unreachable host is a message on the page, and the form still accepts typed values. */
const readHost = async <A>(
  read: Promise<{ readonly ok: true; readonly value: A } | { readonly ok: false; readonly error: unknown }>,
  none: A
): Promise<{ readonly value: A; readonly failure: string | undefined }> => {
  const asked = await read
  if (asked.ok) return { value: asked.value, failure: undefined }
  const { error } = asked
  if (!(error instanceof ServiceError) || ![404, 502].includes(error.status)) throw error
  const { message } = (error.body ?? {}) as { readonly message?: unknown }
  return { value: none, failure: typeof message === "string" ? message : error.message }
}

const loadHosted = async (visit: ConsoleVisit): Promise<Hosted> => {
  const { forgeApps } = visit.deploy
  const forges = await forgeApps.list({ query: { per_page: 100 } })
  const wanted = chosenIn(visit, "forge_app_uuid", "forge")
  const forge = forges.find(({ uuid }) => uuid === wanted) ?? (forges.length === 1 ? forges[0] : undefined)
  const repository = chosenIn(visit, "git_repository", "repository")
  const none = { forges, forge, repositories: [], repository, branches: [], defaultBranch: "", failure: undefined }
  if (forge === undefined) return none
  const params = { github_app_id: forge.uuid }
  const { failure, value } = await readHost(forgeApps.repositories({ params }).result(), { repositories: [] })
  const known = value.repositories.find(({ full_name: name }) => name === repository)
  const [owner = "", repo = ""] = repository.split("/")
  const { value: branches } =
    known === undefined
      ? { value: { branches: [] } }
      : await readHost(forgeApps.branches({ params: { ...params, owner, repo } }).result(), { branches: [] })
  return {
    ...none,
    repositories: value.repositories,
    branches: branches.branches.map(({ name }) => name),
    defaultBranch: known?.default_branch ?? "",
    failure
  }
}

const forgeStep = ({ texts, url }: ConsoleVisit, { forge, forges }: Hosted): Html => {
  const { applications: t } = texts
  if (forges.length < 2) return nothing
  return card(
    t.forge,
    html`<ul class="rows">${forges.map((each) => html`<li><div class="grow"><h3><a href="${withQuery(url, { forge: each.uuid, repository: undefined, search: undefined })}"${each === forge && html` aria-current="true"`}>${each.name}</a></h3><div class="small soft">${each.html_url}</div></div></li>`)}</ul>`
  )
}

const repositoryStep = (visit: ConsoleVisit, { failure, forge, repositories, repository }: Hosted): Html => {
  const { applications: t } = visit.texts
  if (forge === undefined) return nothing
  if (failure !== undefined) return html`<p class="alert warn" role="status">${failure}</p>`
  const search = (visit.query.get("search") ?? "").trim()
  const found = repositories.filter(({ full_name: name }) => name.toLowerCase().includes(search.toLowerCase()))
  return card(
    t.repository,
    html`<form class="form body" method="get" action="${visit.url.pathname}"><input type="hidden" name="forge" value="${forge.uuid}"><div class="row">${textField({ ...visit, form: { ...visit.form, values: new URLSearchParams(), problems: {}, scope: "search" } }, { name: "search", label: t.searchRepository, type: "search", value: search })}</div><div class="row"><button class="button">${t.searchLog}</button></div></form>
${found.length === 0 ? empty(t.noRepositories) : html`<ul class="rows">${found.slice(0, mostRepositories).map(({ full_name: name, private: isPrivate }) => html`<li><h3 class="grow"><a href="${withQuery(visit.url, { forge: forge.uuid, repository: name })}"${name === repository && html` aria-current="true"`}>${name}</a></h3>${isPrivate && html`<span class="badge">${t.privateRepository}</span>`}</li>`)}</ul>`}
${found.length > mostRepositories && html`<p class="body small soft">${t.moreRepositories(found.length - mostRepositories)}</p>`}`
  )
}

const credentialsIn = ({ form }: ConsoleVisit) => ({ forge_app_uuid: typed(form, "forge_app_uuid") })

/** A repository of a connected forge, or one that a GitHub app can read. */
export const forgeSource: Source<Hosted> = {
  key: "forge",
  texts: ({ texts: { applications: t } }) => ({ title: t.ofForge, hint: t.ofForgeSourceHint, button: t.create }),
  operations: ["forgeApps.list", "forgeApps.repositories", "forgeApps.branches", "applications.createPrivateForgeApp"],
  names: [...repositoryNames, "forge_app_uuid"],
  extra: loadHosted,
  before: (visit, hosted) =>
    hosted.forges.length === 0
      ? html`<p class="alert warn" role="status">${visit.texts.applications.noForge} <a href="/sources">${visit.texts.administration.sources}</a></p>`
      : html`${forgeStep(visit, hosted)}${repositoryStep(visit, hosted)}`,
  isReady: ({ failure, forge, repository }) => forge !== undefined && (repository !== "" || failure !== undefined),
  fields: (visit, servers, { branches, defaultBranch, forge, repository }) => {
    const { applications: t } = visit.texts
    const options = branches.map((value) => ({ value, label: value }))
    const branch =
      branches.length === 0
        ? branchField(visit)
        : selectField(visit, { name: "git_branch", label: t.gitBranch, value: defaultBranch, options })
    return html`<input type="hidden" name="forge_app_uuid" value="${forge?.uuid ?? ""}">
${textField(visit, { name: "git_repository", label: t.repository, required: true, value: repository })}
${buildFields(visit, branch)}${applicationFields(visit, servers)}`
  },
  credentials: credentialsIn,
  create: async (visit) => {
    const credentials = credentialsIn(visit)
    const body = { ...(await detectedRepositoryIn(visit, credentials)), ...credentials }
    return applicationPath((await visit.deploy.applications.createPrivateForgeApp({ body })).uuid)
  }
}
