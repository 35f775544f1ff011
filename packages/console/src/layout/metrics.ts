import type { MetricPoint } from "@slipway/client/deploy"
import { bytes, card, type Html, html, number } from "@slipway/web/foundation"
import type { ConsoleVisit } from "../page/ConsolePage.ts"
import { chart, type Series } from "./chart.ts"

const periods = [1, 24, 168] as const

/** Returns the time range that the address of a page names, in hours. */
export const hoursIn = ({ url }: ConsoleVisit): number => {
  const asked = Number(url.searchParams.get("hours"))
  return periods.find((hours) => hours === asked) ?? periods[0]
}

/** Shows links to the page with other time ranges. */
export const periodLinks = (visit: ConsoleVisit): Html => {
  const { servers: t } = visit.texts
  const { pathname } = visit.url
  return html`<nav class="row" aria-label="${t.period}">${periods.map((hours) => html`<a class="button" href="${pathname}?hours=${String(hours)}"${hours === hoursIn(visit) && html` aria-current="page"`}>${hours < 48 ? t.hours(number(visit, hours)) : t.days(number(visit, hours / 24))}</a>`)}</nav>`
}

/**
 * Converts counters to rates in bytes per second between two measurements; null after a restart, which resets the
 * counters.
 */
export const ratesOf = (
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

/** Returns the newest known value. */
export const newest = (values: ReadonlyArray<number | null>): number | null =>
  values.findLast((value) => value !== null) ?? null

/** Shows a size; a dash if it is unknown. */
export const sizeText = (visit: ConsoleVisit, value: number | null): string =>
  value === null ? "–" : bytes(visit, value)

/** Shows a percentage; a dash if it is unknown. */
export const percentText = (visit: ConsoleVisit, value: number | null): string =>
  value === null ? "–" : `${number(visit, Math.round(value))} %`

/** Shows a chart under a title. */
export const chartCard = (title: string, series: ReadonlyArray<Series>, most?: number): Html =>
  card(title, html`<div class="body">${chart(series, most)}</div>`)

/** Shows the chart of received and sent bytes per second. */
export const networkCard = (
  visit: ConsoleVisit,
  received: ReadonlyArray<number | null>,
  sent: ReadonlyArray<number | null>
): Html => {
  const { servers: t } = visit.texts
  return chartCard(t.network, [
    { label: `${t.received}: ${sizeText(visit, newest(received))}/s`, values: received },
    { label: `${t.sent}: ${sizeText(visit, newest(sent))}/s`, values: sent }
  ])
}
