import { type Html, html } from "@slipway/web/foundation"

/** One line of a chart. */
export interface Series {
  /** The label of the line, including its newest value. */
  readonly label: string
  /** The values at equal time intervals; null for a missing value. */
  readonly values: ReadonlyArray<number | null>
}

const width = 480
const height = 96

/** Returns the SVG path parts of a line; a missing value interrupts the line. */
const partsOf = (values: ReadonlyArray<number | null>, most: number): ReadonlyArray<string> => {
  const step = values.length < 2 ? 0 : width / (values.length - 1)
  const parts: Array<Array<string>> = [[]]
  values.forEach((value, at) => {
    if (value === null) parts.push([])
    else parts.at(-1)?.push(`${(at * step).toFixed(1)},${(height - (value / most) * height).toFixed(1)}`)
  })
  return parts.filter((part) => part.length > 0).map((part) => part.join(" "))
}

/**
 * Draws a line chart as SVG, without a script. `most` is the value at the top edge; the default is the greatest value.
 *
 * The label of the first line is the name of the chart for screen readers.
 */
export const chart = (series: ReadonlyArray<Series>, most?: number): Html => {
  const top = most ?? Math.max(1, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const label = series.map((each) => each.label).join(", ")
  const lines = series.flatMap(({ values }, at) =>
    partsOf(values, top).map(
      (points) =>
        html`<polyline points="${points}" fill="none" stroke="currentColor" stroke-width="2" stroke-dasharray="${at === 0 ? "none" : "4 4"}" vector-effect="non-scaling-stroke"/>`
    )
  )
  return html`<figure><svg role="img" aria-label="${label}" viewBox="0 0 ${width} ${height}" width="100%" height="${height}" preserveAspectRatio="none">${lines}</svg><figcaption class="small">${label}</figcaption></figure>`
}
