/** Parses one Markdown document as a page of the site. */
import { posix } from "node:path"
import Parser, { type Token } from "markdown-it"
import { addGithubSyntax } from "../../packages/markdown/src/rules.ts"

/** The text below a heading, up to the next one. Text before the first heading has no anchor. */
export interface Section {
  readonly anchor: string
  readonly heading: string
  readonly text: string
}

/** A link within the repository: the path of the file, and the heading there. */
export interface Link {
  readonly to: string
  readonly anchor: string
}

/** A document as a page. */
export interface Page {
  /** The path of the document in the repository. */
  readonly path: string
  readonly title: string
  readonly html: string
  readonly sections: ReadonlyArray<Section>
  readonly links: ReadonlyArray<Link>
}

const md = new Parser({ linkify: true }).use(addGithubSyntax)
md.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
// Wide content scrolls, by keyboard as well.
md.renderer.rules.table_open = () => '<div class="wide" tabindex="0"><table>\n'
md.renderer.rules.table_close = () => "</table></div>\n"
for (const name of ["fence", "code_block"] as const) {
  const render = md.renderer.rules[name]
  md.renderer.rules[name] = (...args) => (render?.(...args) ?? "").replace("<pre>", '<pre tabindex="0">')
}

const plain = (tokens: ReadonlyArray<Token>): string =>
  tokens.map(({ content, type }) => (type.endsWith("break") ? " " : content)).join("")

const everyToken = (tokens: ReadonlyArray<Token>): ReadonlyArray<Token> =>
  tokens.flatMap((token) => [token, ...(token.children ?? [])])

const isOutside = (address: string): boolean => /^(?:\/\/|[a-z][a-z0-9+.-]*:)/i.test(address)

/** Parses a document. `leadTo` maps each linked file of the repository to its address on the site. */
export const readPage = (path: string, text: string, leadTo: (to: string) => string): Page => {
  const env = { links: new Map<string, string>(), anchors: true }
  const tokens = md.parse(text, env)
  const links: Array<Link> = []
  for (const token of everyToken(tokens)) {
    const name = token.type === "link_open" ? "href" : "src"
    const address = String(token.attrGet(name) ?? "")
    if (address === "" || isOutside(address)) continue
    const [, file = "", anchor = ""] = /^([^#]*)#?(.*)$/s.exec(decodeURI(address)) ?? []
    const to = file === "" ? path : posix.normalize(posix.join(posix.dirname(path), file))
    links.push({ to, anchor })
    if (file !== "") token.attrSet(name, `${leadTo(to)}${anchor === "" ? "" : `#${anchor}`}`)
  }
  const sections: Array<Section & { text: string }> = [{ anchor: "", heading: "", text: "" }]
  for (const [at, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      const heading = plain(tokens[at + 1]?.children ?? [])
      sections.push({ anchor: String(token.attrGet("id") ?? ""), heading, text: "" })
    } else if (tokens[at - 1]?.type !== "heading_open") {
      const said = token.type === "inline" ? plain(token.children ?? []) : token.content
      if (said !== "") for (const section of sections.slice(-1)) section.text += `${said} `
    }
  }
  const title = sections.find(({ heading }) => heading !== "")?.heading ?? path
  return { path, title, html: md.renderer.render(tokens, md.options, env), sections, links }
}
