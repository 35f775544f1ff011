import type { ContentsResponse } from "@slipway/client/forge"
import { type Html, html } from "../../html/Html.ts"
import { card } from "../../layout/components.ts"
import type { Revision } from "../../layout/urls.ts"
import type { Visit } from "../../page/Page.ts"
import { isMarkdown, readmeText, renderedMarkdown } from "./fileView.ts"
import { type namedIn, repositoryIn } from "./revision.ts"

const names = [/^readme\.(?:md|markdown)$/i, /^readme(?:\.txt)?$/i]
const largest = 1024 * 1024

/** Finds the README of a folder. A Markdown file takes precedence over plain text. */
export const readmeOf = async (
  { forge }: Visit,
  params: ReturnType<typeof namedIn>,
  ref: string,
  entries: ReadonlyArray<ContentsResponse>
): Promise<ContentsResponse | undefined> => {
  const files = entries.filter(({ size, type }) => type === "file" && size <= largest)
  const found = names.map((name) => files.find((file) => name.test(file.name))).find((file) => file !== undefined)
  if (found === undefined) return undefined
  const read = await forge.repository.contents.read({ params: { ...params, "*": found.path }, query: { ref } })
  return "path" in read ? read : undefined
}

/** Renders the README of a folder in a card. */
export const readmeCard = async (
  visit: Visit,
  revision: Revision,
  file: ContentsResponse
): Promise<Html | undefined> => {
  const text = readmeText(file)
  if (text === undefined) return undefined
  const content = isMarkdown(file.path)
    ? await renderedMarkdown(visit, repositoryIn(visit), revision, file.path, text)
    : html`<div class="body"><pre class="message">${text}</pre></div>`
  return card(html`<h2>${file.name}</h2>`, content, file.name)
}
