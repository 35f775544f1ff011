import { card, empty, type Html, html, type Language } from "@slipway/web/foundation"
import type { ConsoleVisit } from "../page/ConsolePage.ts"

/** A line of a log with its time. */
interface Line {
  readonly at: string
  readonly text: string
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals' color codes begin with the escape character
const colorCode = /\u001b\[[0-9;?]*[A-Za-z]/g

/** Returns a line without color codes. */
export const plainText = (text: string): string => text.replaceAll(colorCode, "").replace(/\r$/, "")

const clockOf = (language: Language) =>
  new Intl.DateTimeFormat(language, { timeStyle: "medium", timeZone: "UTC", hourCycle: "h23" })

// A formatter is expensive to create, and a log has thousands of lines.
const clocks = { de: clockOf("de"), en: clockOf("en") }

const clock = ({ language }: ConsoleVisit, at: string): string =>
  at === "" ? "" : clocks[language].format(new Date(at))

const logRow = (visit: ConsoleVisit, { at, text }: Line, number: number): Html =>
  html`<tr id="L${number}"><td><a href="#L${number}" data-line="${number}" aria-label="${number}"></a></td><td><time class="soft" datetime="${at}">${clock(visit, at)}</time> ${plainText(text)}</td></tr>`

const logTable = (visit: ConsoleVisit, label: string, lines: ReadonlyArray<Line>): Html =>
  html`<div class="code mono log" tabindex="0" role="region" aria-label="${label}"><table><tbody>${lines.map((line, index) => logRow(visit, line, index + 1))}</tbody></table></div>`

/** Shows lines of a log without terminal color codes. Each line has its time and an anchor link. */
export const logView = (visit: ConsoleVisit, label: string, lines: ReadonlyArray<Line>): Html =>
  lines.length === 0 ? empty(visit.texts.words.noLogs) : logTable(visit, label, lines)

/** A log that follows a stream of events. */
interface FollowedLog {
  readonly label: string
  readonly lines: ReadonlyArray<Line>
  /** The address of the stream of later lines. */
  readonly stream: string
  /** Lines without this text are not shown. */
  readonly search: string
}

/** Shows a log to which the script appends the lines of a stream; users without scripts get a link instead. */
export const followedLog = (visit: ConsoleVisit, { label, lines, search, stream }: FollowedLog): Html => {
  const { texts, url } = visit
  const note = html`<p class="small soft" data-live-note="${texts.words.updates}"><a href="${`${url.pathname}${url.search}`}">${texts.words.refresh}</a></p>`
  const row = html`<template><table><tbody>${logRow(visit, { at: "", text: "" }, 0)}</tbody></table></template>`
  return html`<div class="live" data-stream="${stream}" data-search="${search}">${note}${card(label, html`${lines.length === 0 && empty(texts.words.noLogs)}${logTable(visit, label, lines)}`)}${row}</div>`
}

/**
 * Wraps a part of a page that a script refreshes every two seconds. Users without JavaScript get a reload link instead.
 */
export const live = (visit: ConsoleVisit, id: string, isLive: boolean, body: Html): Html =>
  html`<div id="${id}" class="live"${isLive && html` data-live="2000" aria-live="polite"`}>${isLive && html`<p class="small soft" data-live-note="${visit.texts.words.updates}"><a href="${`${visit.url.pathname}${visit.url.search}`}">${visit.texts.words.refresh}</a></p>`}${body}</div>`
