import { card, html } from "@slipway/web/foundation"
import { type ConsolePage, page } from "../../../page/ConsolePage.ts"
import { dockerfileSource, gitSource, imageSource } from "./applicationSources.ts"
import { databaseSource } from "./databaseSource.ts"
import { forgeSource } from "./forgeSource.ts"
import { keySource } from "./keySource.ts"
import { composeSource, templateSource } from "./serviceSources.ts"
import { creationOperations, loadCreation, newPath, placeOf, sourcePage, sourceRow } from "./sourcePage.ts"

/** `/projects/{uuid}/environments/{name}/new`: the sources of a new resource. */
const sourcesPage = page({
  path: newPath,
  operations: creationOperations,
  load: loadCreation,
  view: (mayCreate, visit) => {
    const { applications: t, projects, start } = visit.texts
    const applications = html`${sourceRow(visit, forgeSource)}${sourceRow(visit, gitSource)}${sourceRow(visit, keySource)}${sourceRow(visit, dockerfileSource)}${sourceRow(visit, imageSource)}`
    const others = html`${sourceRow(visit, composeSource)}${sourceRow(visit, templateSource)}${sourceRow(visit, databaseSource)}`
    return {
      title: t.newTitle,
      body: html`<div class="narrow"><div class="title">${placeOf(visit)}<h1>${projects.newResource}</h1></div>
${
  mayCreate
    ? html`${card(start.application, html`<ul class="rows">${applications}</ul>`)}${card(start.servicesAndDatabases, html`<ul class="rows">${others}</ul>`)}`
    : html`<p class="alert warn" role="status">${t.needsDeveloper}</p>`
}</div>`
    }
  }
})

/** The pages that create an application, a service or a database. */
export const newResourcePages: ReadonlyArray<ConsolePage> = [
  sourcesPage,
  sourcePage(forgeSource),
  sourcePage(gitSource),
  sourcePage(keySource),
  sourcePage(dockerfileSource),
  sourcePage(imageSource),
  sourcePage(composeSource),
  sourcePage(templateSource),
  sourcePage(databaseSource)
]
