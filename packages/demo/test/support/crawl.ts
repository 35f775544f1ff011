import { pageTable } from "@slipway/web"
import { FindMyWay } from "effect/http"
import type { Shown, Visitor } from "./visitor.ts"

const router = FindMyWay.make<string>({ caseSensitive: true, maxParamLength: 4096 })
for (const { path } of pageTable) router.on("GET", path, path)

const nameless = /^\/(api|raw|media|archive|avatars|attachments|assets|docs|-)\b/

/** Returns the kind of an address: the path of its page, or the first step of an address that is no page. */
export const kindOf = (address: string): string => {
  const path = address.split("?")[0] ?? ""
  const found = nameless.test(path) ? undefined : router.find("GET", path)
  if (found !== undefined) return found.handler
  const [, first = "", , third = ""] = path.split("/")
  return nameless.test(path) ? `no page: /${first}` : `no page: /:owner/:repo/${third}`
}

const unescaped = (text: string): string =>
  text
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&")

/** Returns the addresses on the site that a page links to or embeds, without fragments. */
export const linksIn = ({ text }: Pick<Shown, "text">, from: string): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const [, value = ""] of text.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
    const url = new URL(unescaped(value), from)
    if (url.origin === new URL(from).origin) found.add(`${url.pathname}${url.search}`)
  }
  return [...found]
}

/** A visited address. */
export interface Visited {
  readonly address: string
  readonly kind: string
  readonly status: number
  /** The page that links to it. */
  readonly from: string
  readonly text: string
  readonly type: string
  readonly to: string | null
}

/**
 * Follows the links of pages from `starts`, at most `most` addresses of each kind and query.
 *
 * A redirect counts as a link.
 */
export const crawl = async (
  visitor: Pick<Visitor, "go">,
  origin: string,
  starts: ReadonlyArray<string>,
  most = 12
): Promise<ReadonlyArray<Visited>> => {
  const queue = starts.map((address) => ({ address, from: "the beginning" }))
  const known = new Set(starts)
  const counts = new Map<string, number>()
  const visited: Array<Visited> = []
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { address, from } = next
    const kind = kindOf(address)
    const shown = await visitor.go(address)
    visited.push({ address, kind, from, ...shown })
    const isPage = shown.type.startsWith("text/html")
    const links = [
      ...(shown.to === null
        ? []
        : linksIn({ text: ` href="${shown.to.replace(/&/g, "&amp;")}"` }, `${origin}${address}`)),
      ...(isPage ? linksIn(shown, `${origin}${address}`) : [])
    ]
    for (const link of links) {
      if (known.has(link)) continue
      known.add(link)
      const names = [...new URLSearchParams(link.split("?")[1] ?? "").keys()].toSorted().join("&")
      const key = `${kindOf(link)}?${names}`
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      if (count <= most) queue.push({ address: link, from: address })
    }
  }
  return visited
}
