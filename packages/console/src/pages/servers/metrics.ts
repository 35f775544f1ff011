import type { MetricPoint } from "@slipway/client/deploy"
import { card, empty, formTo, type Html, html, number, typed } from "@slipway/web/foundation"
import { serverHeading } from "../../layout/frames.ts"
import { serverPath } from "../../layout/links.ts"
import {
  chartCard,
  hoursIn,
  networkCard,
  newest,
  percentText,
  periodLinks,
  ratesOf,
  sizeText
} from "../../layout/metrics.ts"
import { type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { rejectedForm } from "../../page/rejections.ts"

const charts = (visit: ConsoleVisit, points: ReadonlyArray<MetricPoint>): Html => {
  const { servers: t } = visit.texts
  const last = points.at(-1)
  const cpu = points.map((point) => point.cpu_percent)
  const disk = points.map((point) => point.disk_used)
  const shareOf = (used: number | null, total: number | null) => `${sizeText(visit, used)} / ${sizeText(visit, total)}`
  return html`${chartCard(t.cpu, [{ label: `${t.cpu}: ${percentText(visit, newest(cpu))}`, values: cpu }], 100)}
${chartCard(t.memory, [{ label: `${t.memory}: ${shareOf(last?.memory_used ?? null, last?.memory_total ?? null)}`, values: points.map((point) => point.memory_used) }], last?.memory_total)}
${chartCard(t.disk, [{ label: `${t.disk}: ${shareOf(newest(disk), last?.disk_total ?? null)}`, values: disk }], last?.disk_total ?? undefined)}
${networkCard(visit, ratesOf(points, "network_received"), ratesOf(points, "network_sent"))}`
}

/** `/servers/{uuid}/metrics`: the use of CPU, memory, disk and network of a server in a time range. */
export const metricsPage = page({
  path: "/servers/:server/metrics",
  operations: ["servers.get", "metrics.settings", "metrics.ofServer", "metrics.updateSettings", "people.check"],
  load: async (visit) => {
    const params = { uuid: visit.params.server ?? "" }
    const [server, settings, metrics, may] = await Promise.all([
      visit.deploy.servers.get({ params }),
      visit.deploy.metrics.settings({ params }),
      visit.deploy.metrics.ofServer({ params, query: { hours: String(hoursIn(visit)) } }),
      decisionsOn(visit, { update: ["server.update", params.uuid] })
    ])
    return { server, settings, may, points: metrics.points }
  },
  view: ({ may, points, server, settings }, visit) => {
    const { servers: t } = visit.texts
    const path = `${serverPath(server.uuid)}/metrics`
    const isEnabled = settings.is_metrics_enabled
    return {
      title: `${t.metrics} · ${server.name}`,
      body: html`${serverHeading(visit, server)}<div class="title"><h2>${t.metrics}</h2>${(isEnabled || points.length > 0) && periodLinks(visit)}</div>
${points.length === 0 ? card(t.metrics, empty(isEnabled ? t.noMetrics : t.metricsOff)) : charts(visit, points)}
${may.update && formTo(visit, path, html`<button class="button" name="do" value="${isEnabled ? "off" : "on"}">${isEnabled ? t.stopMetrics : t.startMetrics}</button><p class="small soft">${t.metricsHint(number(visit, Number(settings.sentinel_metrics_history_days)))}</p>`)}`
    }
  },
  submit: async (visit) => {
    const params = { uuid: visit.params.server ?? "" }
    try {
      await visit.deploy.metrics.updateSettings({
        params,
        body: { is_metrics_enabled: typed(visit.form, "do") === "on" }
      })
      return { to: `${serverPath(params.uuid)}/metrics` }
    } catch (error) {
      return rejectedForm(error, [])
    }
  }
})
