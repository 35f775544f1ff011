import { referenceKey, scan } from "@slipway/domain/forge/references"
import type { MarkdownIt, StateCore, StateInline, Token } from "markdown-it"

const alerts = ["note", "tip", "important", "warning", "caution"]
const alertStart = new RegExp(`^\\[!(${alerts.join("|")})\\][ \\t]*(?:\\n|$)`, "i")

/** Converts block quotes that begin with a line such as `[!NOTE]` to alerts. */
const alertRule = (state: StateCore) => {
  const tokens: Array<Token> = []
  const quotes: Array<string | undefined> = []
  for (const [at, token] of state.tokens.entries()) {
    tokens.push(token)
    if (token.type === "blockquote_close" && quotes.pop() !== undefined) token.tag = "div"
    if (token.type !== "blockquote_open") continue
    const inline = state.tokens[at + 1]?.type === "paragraph_open" ? state.tokens[at + 2] : undefined
    const kind = alertStart.exec(inline?.content ?? "")?.[1]?.toLowerCase()
    quotes.push(kind)
    if (kind === undefined || inline === undefined) continue
    inline.content = inline.content.replace(alertStart, "")
    token.tag = "div"
    token.attrSet("class", `markdown-alert markdown-alert-${kind}`)
    const title = new state.Token("html_block", "", 0)
    title.content = `<p class="markdown-alert-title">${kind.charAt(0).toUpperCase()}${kind.slice(1)}</p>\n`
    tokens.push(title)
  }
  state.tokens = tokens
}

const taskStart = /^\[([ xX])\][ \t]/

/** The maximum length of a checkbox's accessible name, taken from the task's text, in characters. */
const longestTaskLabel = 100

/** Converts list items that begin with `[ ]` or `[x]` to tasks with disabled checkboxes. */
const taskRule = (state: StateCore) => {
  const lists: Array<Token> = []
  for (const [at, token] of state.tokens.entries()) {
    if (token.type.endsWith("_list_open")) lists.push(token)
    if (token.type.endsWith("_list_close")) lists.pop()
    const first = state.tokens[at + 2]?.children?.[0]
    if (token.type !== "list_item_open" || first?.type !== "text") continue
    const mark = taskStart.exec(first.content)?.[1]
    if (mark === undefined) continue
    token.attrSet("class", "task-list-item")
    lists.at(-1)?.attrSet("class", "contains-task-list")
    const box = new state.Token("html_inline", "", 0)
    first.content = first.content.replace(taskStart, "")
    const texts = (state.tokens[at + 2]?.children ?? []).filter(({ type }) => type !== "html_inline")
    const text = texts.map(({ content }) => content).join("")
    const label = state.md.utils.escapeHtml(text.trim().slice(0, longestTaskLabel))
    box.content = `<input type="checkbox" class="task-list-item-checkbox" aria-label="${label}"${mark === " " ? "" : " checked"} disabled> `
    state.tokens[at + 2]?.children?.unshift(box)
  }
}

/** Joins adjacent text tokens, into which the parser splits a text at escaped characters. */
const joined = (children: ReadonlyArray<Token>): ReadonlyArray<Token> => {
  const out: Array<Token> = []
  for (const token of children) {
    const last = out.at(-1)
    if (last?.type === "text" && token.type === "text") last.content += token.content
    else out.push(token)
  }
  return out
}

const linked = (state: StateCore, text: Token, links: ReadonlyMap<string, string>): ReadonlyArray<Token> => {
  const out: Array<Token> = []
  const push = (type: string, content: string, nesting: -1 | 0 | 1 = 0) => {
    const token = new state.Token(type, nesting === 0 ? "" : "a", nesting)
    token.content = content
    out.push(token)
    return token
  }
  let done = 0
  for (const { end, reference, start } of scan(text.content)) {
    const href = links.get(referenceKey(reference))
    if (href === undefined) continue
    const shown = text.content.slice(start, end).replace(/^.*[ \t]/, "")
    push("text", text.content.slice(done, end - shown.length))
    push("link_open", "", 1).attrSet("href", href)
    push("text", shown)
    push("link_close", "", -1)
    done = end
  }
  push("text", text.content.slice(done))
  return out
}

/** Converts references, such as `#1` or `@ann`, to links, except inside of links. */
const referenceRule = (state: StateCore) => {
  const links = state.env.links as ReadonlyMap<string, string>
  if (links.size === 0) return
  for (const token of state.tokens) {
    if (token.children === null) continue
    let depth = 0
    token.children = joined(token.children).flatMap((child) => {
      if (child.type === "link_open" || (child.type === "html_inline" && /^<a[\s>]/i.test(child.content))) depth += 1
      if (child.type === "link_close" || (child.type === "html_inline" && /^<\/a/i.test(child.content))) depth -= 1
      return child.type === "text" && depth <= 0 ? linked(state, child, links) : [child]
    })
  }
}

const slugOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-")
    .slice(0, 100)

/** Adds anchors to headings, made from their texts. */
const headingRule = (state: StateCore) => {
  if (state.env.anchors !== true) return
  const seen = new Map<string, number>()
  for (const [at, token] of state.tokens.entries()) {
    if (token.type !== "heading_open") continue
    const slug = slugOf((state.tokens[at + 1]?.children ?? []).map((child) => child.content).join(""))
    const times = seen.get(slug) ?? 0
    seen.set(slug, times + 1)
    if (slug !== "") token.attrSet("id", times === 0 ? slug : `${slug}-${times}`)
  }
}

/** Keeps formulas between dollar signs unchanged, without Markdown processing. */
const mathRule = (state: StateInline, silent: boolean): boolean => {
  const { pos, src } = state
  if (src[pos] !== "$") return false
  const mark = src[pos + 1] === "$" ? "$$" : "$"
  const end = src.indexOf(mark, pos + mark.length)
  const inner = end === -1 ? "" : src.slice(pos + mark.length, end)
  if (inner === "" || (mark === "$" && (/^\s|\s$/.test(inner) || /\d/.test(src[end + 1] ?? "")))) return false
  if (!silent) state.push("math", "", 0).content = src.slice(pos, end + mark.length)
  state.pos = end + mark.length
  return true
}

/** Adds the syntax of GitHub's Markdown to a parser, except tables and strikethrough, which markdown-it has itself. */
export const addGithubSyntax = (md: MarkdownIt): void => {
  md.inline.ruler.before("escape", "math", mathRule)
  md.renderer.rules.math = (tokens, at) => md.utils.escapeHtml(tokens[at]?.content ?? "")
  md.core.ruler.after("block", "alerts", alertRule)
  md.core.ruler.after("inline", "tasks", taskRule)
  md.core.ruler.before("text_join", "references", referenceRule)
  md.core.ruler.push("headings", headingRule)
}
