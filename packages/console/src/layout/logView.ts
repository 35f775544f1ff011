import { empty, type Html, html } from "@slipway/web/foundation"
import type { ConsoleVisit } from "../page/ConsolePage.ts"

/** A line of a log with its time. */
interface Line {
  readonly at: string
  readonly text: string
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals' color codes begin with the escape character
const colorCode = /\u001b\[[0-9;?]*[A-Za-z]/g

const clock = ({ language }: ConsoleVisit, at: string): string =>
  new Date(at).toLocaleTimeString(language, { timeZone: "UTC", hour12: false })

/** Shows lines of a log without terminal color codes. Each line has its time and an anchor link. */
export const logView = (visit: ConsoleVisit, label: string, lines: ReadonlyArray<Line>): Html =>
  lines.length === 0
    ? empty(visit.texts.words.noLogs)
    : html`<div class="code mono log" tabindex="0" role="region" aria-label="${label}"><table><tbody>${lines.map(({ at, text }, index) => html`<tr id="L${index + 1}"><td><a href="#L${index + 1}" data-line="${index + 1}" aria-label="${index + 1}"></a></td><td><time class="soft" datetime="${at}">${clock(visit, at)}</time> ${text.replaceAll(colorCode, "").replace(/\r$/, "")}</td></tr>`)}</tbody></table></div>`

/**
 * Wraps a part of a page that a script refreshes every two seconds. Users without JavaScript get a reload link instead.
 */
export const live = (visit: ConsoleVisit, id: string, isLive: boolean, body: Html): Html =>
  html`<div id="${id}" class="live"${isLive && html` data-live="2000" aria-live="polite"`}>${isLive && html`<p class="small soft" data-live-note="${visit.texts.words.updates}"><a href="${`${visit.url.pathname}${visit.url.search}`}">${visit.texts.words.refresh}</a></p>`}${body}</div>`
