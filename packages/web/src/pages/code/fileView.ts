import type { ContentsResponse } from "@slipway/client/forge"
import { plainLines } from "../../code/Highlighter.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { empty, linkButton } from "../../layout/components.ts"
import { type RepositoryName, type Revision, revisionPath, withQuery } from "../../layout/urls.ts"
import type { Visit } from "../../page/Page.ts"
import { markdownPlace } from "./tree.ts"

/** The number of lines of a file that one page shows. */
export const linesPerPage = 5_000

/** The maximum size in bytes of a file that is shown. A larger file is only a download link. */
const largestShown = 4 * 1024 * 1024

const images = /\.(?:png|jpe?g|gif|webp|avif|bmp|ico)$/i
const markdownName = /\.(?:md|markdown|mdown|mkd)$/i
const decoder = new TextDecoder()

/** Returns whether a file name has an extension of Markdown. */
export const isMarkdown = (path: string): boolean => markdownName.test(path)

const bytesOf = ({ content }: ContentsResponse): Uint8Array => Buffer.from(content ?? "", "base64")

const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, 8_000).includes(0)

/** Renders the text of a Markdown file as HTML. */
export const renderedMarkdown = async (
  visit: Visit,
  repository: RepositoryName,
  revision: Revision,
  path: string,
  text: string
): Promise<Html> =>
  html`<div class="body markdown">${await visit.markdown(text, markdownPlace(repository, revision, path))}</div>`

/**
 * Renders the lines of a text with highlighting. Each line has an anchor such as `#L12`. A long text is split into
 * pages.
 */
const codeTable = async (visit: Visit, text: string, file: ContentsResponse): Promise<Html> => {
  const { code } = visit.texts
  const ending = text.endsWith("\n") ? text.slice(0, -1) : text
  const highlighted = await visit.highlight(ending, file.name, file.sha).catch(() => plainLines(ending))
  const asked = Number(visit.query.get("start"))
  const start = Number.isSafeInteger(asked) && asked > 0 && asked <= highlighted.length ? asked : 1
  const shown = highlighted.slice(start - 1, start - 1 + linesPerPage)
  const last = start - 1 + shown.length
  const to = (line: number, label: string) =>
    linkButton(withQuery(visit.url, { start: line <= 1 ? undefined : String(line) }), label)
  const parts =
    highlighted.length <= linesPerPage
      ? nothing
      : html`<div class="body row"><span class="soft">${code.showing(start, last, highlighted.length)}</span>${start > 1 && to(start - linesPerPage, code.earlierLines)}${last < highlighted.length && to(last + 1, code.laterLines)}</div>`
  return html`${parts}<div class="code mono" tabindex="0" role="region" aria-label="${file.name}"><table><tbody>${shown.map(
    (tokens, at) =>
      html`<tr id="L${start + at}"><td><a href="#L${start + at}" data-line="${start + at}" aria-label="${code.line(start + at)}"></a></td><td>${tokens.map(([classes, part]) => (classes === "" ? html`${part}` : html`<span class="${classes}">${part}</span>`))}</td></tr>`
  )}</tbody></table></div>${parts}`
}

/** A file as a page shows it, with its number of lines. */
export interface ShownFile {
  readonly content: Html
  readonly lines?: number
  /** Whether the file can be shown in two ways: rendered, and as source. */
  readonly hasSource?: boolean
}

/** Renders a file by its type: as an image, as Markdown, as code, or as a notice with a download link. */
export const showFile = async (
  visit: Visit,
  repository: RepositoryName,
  revision: Revision,
  file: ContentsResponse
): Promise<ShownFile> => {
  const { code } = visit.texts
  const raw = revisionPath(repository, "raw", revision, file.path)
  const notice = (text: string): ShownFile => ({ content: empty(text, linkButton(raw, code.download, "download")) })
  if (file.type === "symlink") return { content: empty(`${code.symlink}: ${code.linksTo} ${file.target ?? ""}`) }
  if (file.type === "submodule") return { content: empty(code.submodule) }
  if (images.test(file.path)) {
    const media = revisionPath(repository, "media", revision, file.path)
    return { content: html`<div class="picture"><img src="${media}" alt="${file.name}"></div>` }
  }
  if (file.lfs_oid !== null) return notice(code.lfs)
  if (file.size > largestShown || (file.content === null && file.size > 0)) return notice(code.tooLarge)
  const bytes = bytesOf(file)
  if (bytes.length === 0) return { content: empty(code.emptyFile) }
  if (isBinary(bytes)) return notice(code.binary)
  const text = decoder.decode(bytes)
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0)
  if (isMarkdown(file.path) && visit.query.get("display") !== "source") {
    return { content: await renderedMarkdown(visit, repository, revision, file.path, text), lines, hasSource: true }
  }
  return { content: await codeTable(visit, text, file), lines, hasSource: isMarkdown(file.path) }
}

/** Returns the text of a README. Returns undefined if the file is empty or binary. */
export const readmeText = (file: ContentsResponse): string | undefined => {
  const bytes = bytesOf(file)
  return bytes.length === 0 || isBinary(bytes) ? undefined : decoder.decode(bytes)
}
