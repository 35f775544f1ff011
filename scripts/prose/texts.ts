/** Extracts prose from files: pages without code, and comments and test titles of sources. */
import { parseSync } from "oxc-parser"

/** A piece of prose and the line of the file on which it stands. */
export interface Prose {
  readonly line: number
  readonly text: string
}

const withoutCode = (text: string): string => text.replaceAll(/`[^`]*`/g, "``")

/** Returns the lines of a Markdown page outside of code blocks, inline code blanked. */
export const proseOfPage = (page: string): ReadonlyArray<Prose> => {
  let isCode = false
  return page.split("\n").flatMap((text, at) => {
    const isFence = /^\s*```/.test(text)
    if (isFence) isCode = !isCode
    return isCode || isFence || /^ {4}/.test(text) ? [] : [{ line: at + 1, text: withoutCode(text) }]
  })
}

const title = /\b(?:it|test|describe|scenario)(?:\.\w+)*\(\s*["'`](.*?)["'`]\s*,/g

/** Single-line strings of at least three words, which are messages in sources that are no tests. */
const message = /"([^"\\\n]*)"|`([^`\\\n]*)`/g

const messagesOf = (source: string, lineAt: (offset: number) => number): ReadonlyArray<Prose> =>
  [...source.matchAll(message)].flatMap(({ 1: quoted, 2: template, index }) => {
    const text = (quoted === undefined ? (template ?? "") : withoutCode(quoted)).replaceAll(/\$\{[^}]*\}/g, "``")
    return /^\S+ \S+ \S/.test(text) && !/\b(?:SELECT|UPDATE|INSERT|DELETE|CREATE) /.test(text)
      ? [{ line: lineAt(index), text }]
      : []
  })

/** Returns the lines of a source's comments, the titles of its tests, and its messages if it is no test. */
export const proseOfSource = (path: string, source: string): ReadonlyArray<Prose> => {
  const lineAt = (offset: number): number => source.slice(0, offset).split("\n").length
  const comments = parseSync(path, source).comments.flatMap(({ start, value }) => {
    const first = lineAt(start)
    let isExample = false
    return value.split("\n").flatMap((line, at) => {
      const text = line.replace(/^\s*\*? ?/, "")
      if (text.startsWith("```") || text.startsWith("@example")) isExample = text !== "```" || !isExample
      else if (text.trim() === "" && !text.startsWith("```")) isExample = false
      return isExample ? [] : [{ line: first + at, text: withoutCode(text) }]
    })
  })
  const titles = [...source.matchAll(title)].map(({ 1: text = "", index }) => ({
    line: lineAt(index),
    text: withoutCode(text)
  }))
  const messages = path.includes("/src/") ? messagesOf(source, lineAt) : []
  return [...comments, ...titles, ...messages]
}
