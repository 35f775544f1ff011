import type { MarkdownSource } from "@slipway/domain/forge/collaboration"
import Parser, { type MarkdownIt, type Token } from "markdown-it"
import { full as emoji } from "markdown-it-emoji"
import footnotes from "markdown-it-footnote"
import { addGithubSyntax } from "./rules.ts"
import { sanitizedHtml } from "./sanitize.ts"

/** Maximum size of a text's HTML, in characters. */
const largestHtml = 16_777_216

/** Thrown if the HTML of a text is too large. */
export class TooLarge extends Error {}

const webAddress =
  /^(?:[a-z0-9-]{1,63}\.){1,10}[a-z]{2,24}(?::\d{1,5})?(?:[/?#](?:[^\s<>"']{0,500}[^\s<>"'.,:;!?)*_~])?)?/i

const parser = (breaks: boolean): MarkdownIt => {
  const md = new Parser({ html: true, linkify: true, breaks, maxNesting: 50 })
  // File names look like host names: links need a scheme or `www.`, or are email addresses.
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: true })
  md.linkify.add("www.", {
    validate: (text, pos) => webAddress.exec(text.slice(pos, pos + 700))?.[0].length ?? 0,
    normalize: (match) => {
      match.url = `http://${match.url}`
    }
  })
  md.use(emoji).use(footnotes).use(addGithubSyntax)
  // Style attributes are removed; the alignment remains.
  for (const name of ["td_open", "th_open"]) {
    md.renderer.rules[name] = (tokens, at, options, _, self) => {
      const token = tokens[at]
      const side = /text-align:(left|right|center)/.exec(String(token?.attrGet("style") ?? ""))?.[1]
      if (token !== undefined) token.attrs = side === undefined ? null : [["align", side]]
      return self.renderToken(tokens, at, options)
    }
  }
  return md
}

const parsers = { comment: parser(true), other: parser(false) }

/** Estimates the size of the HTML of Markdown tokens, in characters. */
const weight = (tokens: ReadonlyArray<Token>): number =>
  tokens.reduce(
    (sum, { attrs, children, content }) =>
      sum +
      20 +
      content.length +
      (attrs ?? []).reduce((length, [, value]) => length + String(value).length, 0) +
      (children === null ? 0 : weight(children)),
    0
  )

/** Renders a Markdown text to sanitized HTML; throws `TooLarge` if the HTML is too large. */
export const render = (source: MarkdownSource): string => {
  const md = source.kind === "comment" ? parsers.comment : parsers.other
  const env = {
    links: source.kind === "markdown" ? new Map<string, string>() : source.links,
    anchors: source.kind !== "comment"
  }
  const tokens = md.parse(source.text, env)
  if (weight(tokens) > largestHtml) throw new TooLarge()
  return sanitizedHtml(md.renderer.render(tokens, md.options, env), source)
}
