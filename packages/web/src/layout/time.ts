import { type Html, html } from "../html/Html.ts"
import type { BaseVisit } from "../page/BasePage.ts"

const units: ReadonlyArray<readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number]> = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60]
]

/**
 * Renders a time relative to now. Its tooltip is the absolute time, which the script converts to the time zone of the
 * reader.
 */
export const time = ({ language, now }: Pick<BaseVisit, "language" | "now">, at: string): Html => {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return html``
  const seconds = (date.getTime() - now.getTime()) / 1000
  const [unit, length] = units.find(([, each]) => Math.abs(seconds) >= each) ?? (["second", 1] as const)
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(Math.round(seconds / length), unit)
  const absolute = new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" })
  return html`<time datetime="${date.toISOString()}" title="${absolute.format(date)} UTC">${relative}</time>`
}

/** Formats a number in the language of the page. */
export const number = ({ language }: Pick<BaseVisit, "language">, value: number): string =>
  new Intl.NumberFormat(language).format(value)

/** Formats a size in bytes with a suitable unit, in the language of the page. */
export const bytes = ({ language }: Pick<BaseVisit, "language">, size: number): string => {
  const names = ["byte", "kilobyte", "megabyte", "gigabyte"] as const
  const step = size < 1 ? 0 : Math.min(names.length - 1, Math.floor(Math.log10(size) / 3))
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit: names[step] ?? "byte",
    unitDisplay: step === 0 ? "long" : "short",
    maximumFractionDigits: step === 0 ? 0 : 1
  }).format(size / 1000 ** step)
}
