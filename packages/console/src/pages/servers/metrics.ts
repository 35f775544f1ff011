import type { MetricPoint } from "@slipway/client/deploy"
import { bytes, card, empty, formTo, type Html, html, number, typed } from "@slipway/web/foundation"
import { serverHeading } from "../../layout/frames.ts"
import { serverPath } from "../../layout/links.ts"
import { type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { rejectedForm } from "../../page/rejections.ts"
import { chart } from "./chart.ts"

const periods = [1, 24, 168] as const

const hoursIn = ({ url }: ConsoleVisit): number => {
  const asked = Number(url.searchParams.get("hours"))
  return periods.find((hours) => hours === asked) ?? periods[0]
}

/**
 * Converts counters to rates in bytes per second between two measurements; null after a restart, which resets the
 * counters.
 */
const ratesOf = (
  points: ReadonlyArray<MetricPoint>,
  counter: "network_received" | "network_sent"
): ReadonlyArray<number | null> =>
  points.slice(1).map((point, at) => {
    const before = points[at]
    if (before === undefined) return null
    const seconds = (Date.parse(point.at) - Date.parse(before.at)) / 1_000
    const passed = point[counter] - before[counter]
    return passed < 0 || seconds <= 0 ? null : passed / seconds
  })

const newest = (values: ReadonlyArray<number | null>): number | null =>
  values.findLast((value) => value !== null) ?? null

const charts = (visit: ConsoleVisit, points: ReadonlyArray<MetricPoint>): Html => {
  const { servers: t } = visit.texts
  const last = points.at(-1)
  const size = (value: number | null) => (value === null ? "–" : bytes(visit, value))
  const percent = (value: number | null) => (value === null ? "–" : `${number(visit, Math.round(value))} %`)
  const cpu = points.map((point) => point.cpu_percent)
  const disk = points.map((point) => point.disk_used)
  const [received, sent] = [ratesOf(points, "network_received"), ratesOf(points, "network_sent")]
  return html`${card(t.cpu, html`<div class="body">${chart([{ label: `${t.cpu}: ${percent(newest(cpu))}`, values: cpu }], 100)}</div>`)}
${card(t.memory, html`<div class="body">${chart([{ label: `${t.memory}: ${size(last?.memory_used ?? null)} / ${size(last?.memory_total ?? null)}`, values: points.map((point) => point.memory_used) }], last?.memory_total)}</div>`)}
${card(t.disk, html`<div class="body">${chart([{ label: `${t.disk}: ${size(newest(disk))} / ${size(last?.disk_total ?? null)}`, values: disk }], last?.disk_total ?? undefined)}</div>`)}
${card(
  t.network,
  html`<div class="body">${chart([
    { label: `${t.received}: ${size(newest(received))}/s`, values: received },
    { label: `${t.sent}: ${size(newest(sent))}/s`, values: sent }
  ])}</div>`
)}`
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
      body: html`${serverHeading(visit, server)}<h2>${t.metrics}</h2>
<nav class="row small" aria-label="${t.period}">${periods.map((hours) => html`<a href="${path}?hours=${String(hours)}"${hours === hoursIn(visit) && html` aria-current="page"`}>${t.hours(number(visit, hours))}</a>`)}</nav>
${points.length === 0 ? empty(isEnabled ? t.noMetrics : t.metricsOff) : charts(visit, points)}
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
