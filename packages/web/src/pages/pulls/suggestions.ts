import type { PullRequest, PullReviewComment } from "@slipway/client/forge"
import type { Submitted, Visit } from "../../page/Page.ts"

const block = /^```suggestion[^\n]*\n([\s\S]*?)^```\s*$/m

/**
 * Returns the lines that a review comment suggests as a replacement for the commented line. Returns undefined if it has
 * no suggestion.
 *
 * @example
 * suggestionIn("Try\n```suggestion\na\nb\n```") // => ["a", "b"]
 * suggestionIn("Remove\n```suggestion\n```") // => []
 */
export const suggestionIn = (body: string): ReadonlyArray<string> | undefined => {
  const [, text] = block.exec(body.replaceAll("\r\n", "\n")) ?? []
  return text === undefined ? undefined : text === "" ? [] : text.replace(/\n$/, "").split("\n")
}

/** Returns whether the button to apply the suggestion of a comment is shown. */
export const isApplicable = ({ body, position }: PullReviewComment): boolean =>
  position > 0 && suggestionIn(body) !== undefined

/** Commits a suggestion to the head branch if the commented line is unchanged, and resolves the conversation. */
export const applySuggestion = async (
  visit: Visit,
  pull: PullRequest,
  comment: PullReviewComment | undefined
): Promise<Submitted> => {
  const { forge, texts, url } = visit
  const lines = comment === undefined ? undefined : suggestionIn(comment.body)
  const stale: Submitted = { problems: { "": texts.review.notApplied }, status: 409 }
  if (comment === undefined || lines === undefined || comment.position < 1 || pull.head.repo === null) return stale
  const { path, position } = comment
  const params = { username: pull.head.repo.owner.login, reponame: pull.head.repo.name, "*": path }
  const ref = `refs/heads/${pull.head.ref}`
  const read = await forge.repository.contents.readExtended({ params, query: { ref, includes: "file_content" } })
  const file = read.file_contents
  if (file === null || file.content === null) return stale
  const text = Buffer.from(file.content, "base64").toString("utf8").split("\n")
  const ending = text[position - 1]?.endsWith("\r") === true ? "\r" : ""
  const commented = comment.diff_hunk.split("\n").at(-1)?.slice(1)
  if (text[position - 1]?.replace(/\r$/, "") !== commented?.replace(/\r$/, "")) return stale
  text.splice(position - 1, 1, ...lines.map((line) => `${line}${ending}`))
  await forge.repository.contents.edit({
    params,
    body: {
      content: Buffer.from(text.join("\n")).toString("base64"),
      sha: file.sha,
      branch: pull.head.ref,
      message: texts.review.applied(path)
    }
  })
  await forge.pull.comment
    .resolve({ params: { username: visit.params.owner ?? "", reponame: visit.params.repo ?? "", id: comment.id } })
    .result()
  return { to: url.pathname }
}
