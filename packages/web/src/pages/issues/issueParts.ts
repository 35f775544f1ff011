import type { Issue, Label, PullRequest, User } from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { type Html, html } from "../../html/Html.ts"
import { avatar } from "../../layout/components.ts"
import { encodedPath, pathOf, type RepositoryName, repositoryPath } from "../../layout/urls.ts"
import { NotFound, type Visit } from "../../page/Page.ts"
import { namedIn } from "../code/revision.ts"

/** Returns the path parameters of API requests that identify the issue or pull request in the URL. */
export const numberedIn = (visit: Visit) => {
  const index = visit.params.index ?? ""
  if (!/^[1-9]\d{0,14}$/.test(index)) throw new NotFound()
  return { ...namedIn(visit), index: Number(index) }
}

/** Renders a label. Its color is an SVG attribute, because the Content Security Policy forbids inline styles. */
export const labelChip = (repository: RepositoryName, page: "issues" | "pulls", { color, name }: Label): Html =>
  html`<a class="badge label" href="${repositoryPath(repository)}/${page}?${String(new URLSearchParams({ labels: name }))}"><svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true" focusable="false"><circle cx="5" cy="5" r="5" fill="#${color.replace(/^#/, "")}"></circle></svg>${name}</a>`

/** Renders a user with the avatar, as a link to the profile. */
export const userLink = ({ avatar_url: address, login }: User): Html =>
  html`<a class="user" href="${pathOf(login)}">${avatar(address)} ${login}</a>`

/** The state of an issue or pull request that pages show. */
export type ShownState = "open" | "closed" | "merged" | "draft"

/** Returns the state of an issue that pages show. */
export const issueState = ({ pull_request: pull, state }: Pick<Issue, "pull_request" | "state">): ShownState =>
  pull?.merged === true ? "merged" : state === "closed" ? "closed" : pull?.draft === true ? "draft" : "open"

/** Returns the state of a pull request that pages show. */
export const pullState = ({ draft, merged, state }: PullRequest): ShownState =>
  merged ? "merged" : state === "closed" ? "closed" : draft ? "draft" : "open"

/** Renders the icon of a state, in the color of the state. */
export const stateIcon = (state: ShownState, isPull: boolean): Html => {
  if (state === "merged") return icon("git-merge", "merged-text")
  if (state === "closed")
    return isPull ? icon("git-pull-request-closed", "bad-text") : icon("issue-closed", "merged-text")
  return icon(isPull ? "git-pull-request" : "issue-opened", state === "draft" ? "soft" : "ok-text")
}

/** Renders a state as a badge. */
export const stateBadge = ({ texts }: Visit, state: ShownState, isPull: boolean): Html => {
  const kind = { open: "ok", draft: "", merged: "merged", closed: isPull ? "bad" : "merged" }[state]
  return html`<span class="badge ${kind}">${stateIcon(state, isPull)}${texts.issues.states[state]}</span>`
}

/** The URL paths of references in texts, by reference such as `#1`. */
export type References = ReadonlyMap<string, string>

/** The maximum number of characters of text that are searched for references on one page. */
const mostText = 300_000

/**
 * Resolves the references in all texts of a page with one API call. Only references that the viewer may read become
 * links.
 */
export const loadReferences = async (visit: Visit, texts: ReadonlyArray<string>): Promise<References> => {
  let left = mostText
  const asked = texts.filter((text) => {
    const isAsked = left >= text.length && /[#!@]|[0-9a-f]{7}/.test(text)
    if (isAsked) left -= text.length
    return isAsked
  })
  if (asked.length === 0) return new Map()
  const found = await visit.forge.repository.markdown.references({
    params: namedIn(visit),
    body: { texts: asked.slice(0, 200) }
  })
  return new Map(found.map(({ key, url }) => [key, new URL(url).pathname]))
}

/** Returns the location from which relative links in the Markdown of a comment start. */
export const commentPlace = (repository: RepositoryName, branch: string, links: References = new Map()) => ({
  links,
  kind: "comment" as const,
  repository: repositoryPath(repository),
  tree: `branch/${encodedPath(branch)}`,
  folder: ""
})
