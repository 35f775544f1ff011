import { type DefaultTreeAdapterTypes, parse } from "parse5"

type Node = DefaultTreeAdapterTypes.Node

const loading = new Set(["img", "script", "link", "iframe", "object", "embed", "video", "audio", "source", "use"])
const forbidden = /^(?:base|iframe|object|embed|style|xss-tag|math|frame|applet|marquee)$/

const isOwn = (value: string, page: string): boolean => {
  const url = new URL(value, page)
  return url.origin === new URL(page).origin || url.protocol === "data:"
}

const harmOf = (node: Node, page: string): ReadonlyArray<string> => {
  const below = "childNodes" in node ? node.childNodes.flatMap((child) => harmOf(child, page)) : []
  if (!("tagName" in node)) return below
  const { attrs, childNodes, tagName } = node
  const value = (name: string) => attrs.find((each) => each.name === name)?.value
  const found = attrs.flatMap(({ name, value: text }) => {
    if (name.startsWith("on") || name === "style" || name === "srcdoc") return [`${tagName} ${name}=${text}`]
    if (["href", "src", "action", "formaction", "xlink:href"].includes(name)) {
      const { protocol } = new URL(text, page)
      if (!["http:", "https:", "mailto:", "ssh:", ...(name === "src" ? ["data:"] : [])].includes(protocol))
        return [`${tagName} ${name}=${text}`]
      if ((loading.has(tagName) || tagName === "form" || name === "formaction") && !isOwn(text, page))
        return [`${tagName} ${name}=${text} is foreign`]
    }
    return []
  })
  const isScript = tagName === "script" && (childNodes.length > 0 || value("src")?.startsWith("/assets/") !== true)
  const isMeta = tagName === "meta" && value("http-equiv") !== undefined
  return [...(forbidden.test(tagName) || isScript || isMeta ? [`<${tagName}>`] : []), ...found, ...below]
}

/** Returns what of a page, as a browser parses it, could run, load or send something that is not the page's own. */
export const harmIn = (html: string, page: string): ReadonlyArray<string> => harmOf(parse(html), page)
