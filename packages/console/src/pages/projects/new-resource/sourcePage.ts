import type { Server } from "@slipway/client/deploy"
import { formTo, type Html, html, problemSummary, type Submitted, typed, uploadForm } from "@slipway/web/foundation"
import { environmentPath, projectPath } from "../../../layout/links.ts"
import { type ConsolePage, type ConsoleVisit, type Operation, page } from "../../../page/ConsolePage.ts"
import { decisionsOn } from "../../../page/decisions.ts"
import type { ShownAt } from "../../../page/rejections.ts"
import { rejectedChange } from "../../applications/domainConflicts.ts"
import { newResourcePath, otherSource } from "./creation.ts"
import { type Credentials, detect, detectionOperations, Undetected, withDetected } from "./detection.ts"

/** The most servers that a form lists. */
const mostServers = 100

/** The path of the pages that create a resource in an environment. */
export const newPath = "/projects/:project/environments/:environment/new"

/** The texts of a source. */
export interface SourceTexts {
  readonly title: string
  readonly hint: string
  /** The label of the button that creates the resource. */
  readonly button: string
}

/** A source of a new resource, such as an image: its form, and the API call that creates the resource. */
export interface Source<Extra> {
  readonly key: string
  readonly texts: (visit: ConsoleVisit) => SourceTexts
  /** The operations of the functions below. */
  readonly operations: ReadonlyArray<Operation>
  /** The names of the fields; messages about other fields are shown above the form. */
  readonly names: ReadonlyArray<string>
  readonly shownAt?: ShownAt
  /** Loads the choices of the form. */
  readonly extra: (visit: ConsoleVisit) => Promise<Extra>
  /** Shows the step before the form, such as the choice of a repository. */
  readonly before?: (visit: ConsoleVisit, extra: Extra) => Html
  /** Returns whether the form is shown; by default always. */
  readonly isReady?: (extra: Extra) => boolean
  readonly fields: (visit: ConsoleVisit, servers: ReadonlyArray<Server>, extra: Extra) => Html
  readonly uploads?: boolean
  /** Returns the credentials that read the repository of the form, for sources that detect the build settings. */
  readonly credentials?: (visit: ConsoleVisit) => Credentials
  /** Creates the resource, and returns the path of its page or the next step. */
  readonly create: (visit: ConsoleVisit) => Promise<string>
}

/** Shows the way to the environment above the heading of a page. */
export const placeOf = ({ params, texts }: ConsoleVisit): Html => {
  const project = params.project ?? ""
  const environment = params.environment ?? ""
  return html`<nav class="small" aria-label="${texts.layout.breadcrumb}"><a href="${projectPath(project)}">${texts.words.project}</a> / <a href="${environmentPath(project, environment)}">${environment}</a> /</nav>`
}

/** Loads whether the viewer may create resources in the environment of the page; fails if the environment is hidden. */
export const loadCreation = async (visit: ConsoleVisit): Promise<boolean> => {
  const { environment = "", project: uuid = "" } = visit.params
  const found = await visit.deploy.projects.getEnvironment({ params: { uuid, environment } })
  const { create } = await decisionsOn(visit, { create: ["resource.create", found.uuid] })
  return create
}

/** The operations of `loadCreation`. */
export const creationOperations = ["projects.getEnvironment", "people.check"] as const

/** Returns the page with the form of a source. */
export const sourcePage = <Extra>(source: Source<Extra>): ConsolePage =>
  page({
    path: `${newPath}/${source.key}`,
    operations: [
      ...creationOperations,
      ...source.operations,
      "servers.list",
      ...(source.credentials === undefined ? [] : detectionOperations)
    ],
    ...(source.uploads === true ? { uploads: true } : {}),
    load: async (visit) => {
      const mayCreate = await loadCreation(visit)
      if (!mayCreate) return undefined
      const [servers, extra] = await Promise.all([
        visit.deploy.servers.list({ query: { per_page: mostServers } }),
        source.extra(visit)
      ])
      return { servers, extra }
    },
    view: (loaded, visit) => {
      const { applications } = visit.texts
      const t = source.texts(visit)
      const form = source.uploads === true ? uploadForm : formTo
      const isReady = loaded !== undefined && (source.isReady?.(loaded.extra) ?? true)
      return {
        title: t.title,
        body: html`<div class="narrow"><div class="title">${placeOf(visit)}<h1>${t.title}</h1>${otherSource(visit)}</div>
${problemSummary(visit)}${
  loaded === undefined
    ? html`<p class="alert warn" role="status">${applications.needsDeveloper}</p>`
    : html`<p class="soft">${t.hint}</p>${source.before?.(visit, loaded.extra)}${
        isReady &&
        html`<section class="card" id="${source.key}" aria-label="${t.title}"><div class="body">${form(
          visit,
          `${visit.url.pathname}${visit.url.search}`,
          html`${source.fields(withDetected(visit), loaded.servers, loaded.extra)}<p><button class="button primary">${t.button}</button></p>`
        )}</div></section>`
      }`
}</div>`
      }
    },
    submit: async (visit): Promise<Submitted> => {
      try {
        if (source.credentials !== undefined && typed(visit.form, "do") === "detect") {
          return { outcome: await detect(visit, source.credentials(visit)) }
        }
        return { to: await source.create(visit) }
      } catch (error) {
        if (error instanceof Undetected) return { problems: error.problems }
        return rejectedChange(visit, error, source.names, "domains", source.shownAt)
      }
    }
  })

/** Shows the row of a source in the list of sources. */
export const sourceRow = <Extra>(visit: ConsoleVisit, source: Source<Extra>): Html => {
  const t = source.texts(visit)
  return html`<li><div class="grow"><h3><a href="${newResourcePath(visit, source.key)}">${t.title}</a></h3><div class="small soft">${t.hint}</div></div></li>`
}
