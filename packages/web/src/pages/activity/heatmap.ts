import type { UserHeatmapData } from "@slipway/client/forge"
import { type Html, html } from "../../html/Html.ts"
import { card } from "../../layout/components.ts"
import { number } from "../../layout/time.ts"
import type { Visit } from "../../page/Page.ts"

const dayLength = 86_400_000
const weeks = 53
const cell = 11
const step = 13
const top = 16

/** A day in UTC and its number of activities. */
interface Day {
  readonly at: Date
  readonly count: number
}

/** Returns the days of the last 53 weeks, from a Sunday to today. */
export const daysOf = (now: Date, times: ReadonlyArray<UserHeatmapData>): ReadonlyArray<Day> => {
  const counts = new Map<number, number>()
  for (const { contributions, timestamp } of times) {
    const day = Math.floor((timestamp * 1000) / dayLength)
    counts.set(day, (counts.get(day) ?? 0) + contributions)
  }
  const today = Math.floor(now.getTime() / dayLength)
  const first = today - (weeks - 1) * 7 - now.getUTCDay()
  return Array.from({ length: today - first + 1 }, (_, at) => ({
    at: new Date((first + at) * dayLength),
    count: counts.get(first + at) ?? 0
  }))
}

/** Returns the shade of a day from 0 to 4, relative to the busiest day. */
const shadeOf = (count: number, most: number): number => (count === 0 ? 0 : Math.ceil((4 * count) / most))

const monthName = ({ language }: Visit, month: "short" | "long", date: Date): string =>
  new Intl.DateTimeFormat(language, {
    month,
    timeZone: "UTC",
    ...(month === "long" ? { year: "numeric" } : {})
  }).format(date)

const grid = (visit: Visit, days: ReadonlyArray<Day>): Html => {
  const { activity: t } = visit.texts
  const most = Math.max(...days.map(({ count }) => count))
  const total = days.reduce((sum, { count }) => sum + count, 0)
  const dayName = new Intl.DateTimeFormat(visit.language, { dateStyle: "medium", timeZone: "UTC" })
  const column = (at: number) => Math.floor(at / 7) * step
  const months = days.flatMap(({ at: date }, at) =>
    date.getUTCDate() === 1 && column(at) < (weeks - 2) * step
      ? [html`<text x="${column(at)}" y="10">${monthName(visit, "short", date)}</text>`]
      : []
  )
  const cells = days.map(
    ({ at: date, count }, at) =>
      html`<rect class="heat-${shadeOf(count, most)}" x="${column(at)}" y="${top + (at % 7) * step}" width="${cell}" height="${cell}" rx="2"><title>${dayName.format(date)}: ${t.activities(number(visit, count), count)}</title></rect>`
  )
  const width = weeks * step
  const height = top + 7 * step
  return html`<svg class="heatmap" role="img" aria-label="${t.lastYear(number(visit, total), total)}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${months}${cells}</svg>`
}

/** The numbers of the heatmap by month, as an alternative for readers who do not see it. */
const table = (visit: Visit, days: ReadonlyArray<Day>): Html => {
  const { activity: t } = visit.texts
  const months = new Map<string, number>()
  for (const { at, count } of days) {
    const month = monthName(visit, "long", at)
    months.set(month, (months.get(month) ?? 0) + count)
  }
  return html`<details><summary>${t.asTable}</summary><table class="data"><thead><tr><th scope="col">${t.month}</th><th scope="col">${t.count}</th></tr></thead><tbody>${[...months].map(([month, count]) => html`<tr><th scope="row">${month}</th><td>${number(visit, count)}</td></tr>`)}</tbody></table></details>`
}

/** Shows a user's activity of the last year: a cell for each day, and a table of the months. */
export const heatmapCard = (visit: Visit, times: ReadonlyArray<UserHeatmapData>): Html => {
  const { activity: t } = visit.texts
  const days = daysOf(visit.now, times)
  return card(
    t.heatmap,
    html`<div class="body"><div class="sideways" role="region" tabindex="0" aria-label="${t.heatmap}">${grid(visit, days)}</div>${table(visit, days)}</div>`
  )
}
