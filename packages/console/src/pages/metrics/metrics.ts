import type { MetricPoint, Metrics } from "@slipway/client/deploy"
import { card, empty, type Frame, type Html, html } from "@slipway/web/foundation"
import { applicationFrame, databaseFrame, serviceFrame } from "../../layout/frames.ts"
import { chartCard, hoursIn, networkCard, newest, percentText, periodLinks, sizeText } from "../../layout/metrics.ts"
import { type ConsolePage, type ConsoleVisit, type Operation, page } from "../../page/ConsolePage.ts"
import { applicationIn, applicationOperations, loadApplication } from "../applications/loadApplication.ts"
import { databaseIn, databaseOperations, loadDatabase } from "../databases/loadDatabase.ts"
import { loadService, serviceIn, serviceOperations } from "../services/loadService.ts"
import { byContainer, sumsOf } from "./sums.ts"

/** The maximum number of containers in the list: a redeployed application has had many in a week. */
const mostContainers = 20

const containerRow = (visit: ConsoleVisit, last: MetricPoint): Html => {
  const { servers: t } = visit.texts
  return html`<li><div class="grow"><h3><code>${last.container ?? ""}</code></h3><div class="small soft">${t.cpu}: ${percentText(visit, last.cpu_percent)} · ${t.memory}: ${sizeText(visit, last.memory_used)} / ${sizeText(visit, last.memory_total)}</div></div></li>`
}

const charts = (visit: ConsoleVisit, { interval_seconds: seconds, points }: Metrics): Html => {
  const { applications, servers: t } = visit.texts
  const { cpu, memory, received, sent } = sumsOf(points, seconds)
  const lasts = [...byContainer(points).values()]
    .map((of) => of[of.length - 1] ?? of[0])
    .toSorted((one, other) => (one.at < other.at ? 1 : -1))
    .slice(0, mostContainers)
  return html`${chartCard(t.cpu, [{ label: `${t.cpu}: ${percentText(visit, newest(cpu))}`, values: cpu }])}
${chartCard(t.memory, [{ label: `${t.memory}: ${sizeText(visit, newest(memory))}`, values: memory }])}
${networkCard(visit, received, sent)}
${card(applications.containers, html`<ul class="rows">${lasts.map((last) => containerRow(visit, last))}</ul>`)}`
}

/** A resource with containers, as its page needs it. */
interface Named {
  readonly name: string | null
  readonly uuid: string
}

const metricsPageOf = <Resource extends Named>(of: {
  readonly path: `/${string}`
  readonly operations: ReadonlyArray<Operation>
  readonly load: (visit: ConsoleVisit) => Promise<Resource>
  readonly read: (visit: ConsoleVisit, hours: string) => PromiseLike<Metrics>
  readonly frame: (visit: ConsoleVisit, resource: Resource) => Frame
}): ConsolePage =>
  page({
    path: `${of.path}/metrics`,
    operations: of.operations,
    load: async (visit) => {
      const [resource, metrics] = await Promise.all([of.load(visit), of.read(visit, String(hoursIn(visit)))])
      return { resource, metrics }
    },
    view: ({ metrics, resource }, visit) => {
      const { servers: t } = visit.texts
      const isEmpty = metrics.points.length === 0
      return {
        title: `${t.metrics} · ${resource.name ?? resource.uuid}`,
        frame: of.frame(visit, resource),
        body:
          isEmpty && !metrics.is_enabled
            ? html`<p class="alert info">${t.metricsOffHere}</p>`
            : html`${periodLinks(visit)}
${isEmpty ? card(t.metrics, empty(t.noMetrics)) : charts(visit, metrics)}`
      }
    }
  })

/** `/applications/{uuid}/metrics` and those of databases and services: the use of their containers in a time range. */
export const metricsPages: ReadonlyArray<ConsolePage> = [
  metricsPageOf({
    path: "/applications/:application",
    operations: [...applicationOperations, "metrics.ofApplication"],
    load: loadApplication,
    read: (visit, hours) => visit.deploy.metrics.ofApplication({ params: applicationIn(visit), query: { hours } }),
    frame: (visit, application) => applicationFrame(visit, application, "metrics")
  }),
  metricsPageOf({
    path: "/databases/:database",
    operations: [...databaseOperations, "metrics.ofDatabase"],
    load: loadDatabase,
    read: (visit, hours) => visit.deploy.metrics.ofDatabase({ params: databaseIn(visit), query: { hours } }),
    frame: (visit, database) => databaseFrame(visit, database, "metrics")
  }),
  metricsPageOf({
    path: "/services/:service",
    operations: [...serviceOperations, "metrics.ofService"],
    load: loadService,
    read: (visit, hours) => visit.deploy.metrics.ofService({ params: serviceIn(visit), query: { hours } }),
    frame: (visit, service) => serviceFrame(visit, service, "metrics")
  })
]
