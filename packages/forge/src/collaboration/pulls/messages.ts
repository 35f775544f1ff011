import type { Ident, MergeStyle, ObjectId, Repository } from "@slipway/domain/forge/code"
import { GitReader } from "@slipway/domain/forge/code"
import type { Issue, PullRequest } from "@slipway/domain/forge/collaboration"
import { Effect } from "effect"
import { mostRebased } from "../../code/commits/mergeCommits.ts"

const folders = [".slipway", ".gitea", ".forgejo"] as const
const largestTemplate = 64 * 1024
/** The maximum length of a message after variables are replaced, in characters; further variables stay in the text. */
const mostFilled = 512 * 1024

/** The values for a merge commit message: the pull request, its branches, and its commits. */
export interface MessageContext {
  readonly pull: PullRequest
  readonly issue: Pick<Issue, "number" | "title" | "body">
  readonly repository: Pick<Repository, "name" | "owner">
  readonly headName: string
  readonly author: string
}

/** Returns the title and the body of the default commit message for a merge. */
export const usualMessage = (
  style: MergeStyle,
  { issue, pull: { baseBranch, headBranch, headOwner, headRepositoryId, repositoryId } }: MessageContext
): readonly [string, string] => {
  if (style === "squash") return [`${issue.title} (#${issue.number})`, issue.body.trim()]
  const from = headRepositoryId === repositoryId ? headBranch : `${headOwner}:${headBranch}`
  return [`Merge pull request '${issue.title}' (#${issue.number}) from ${from} into ${baseBranch}`, ""]
}

/**
 * Replaces the variables in a message template. The first line of the result is the title, the text after it the body.
 *
 * @example
 * fillTemplate("${A} (#${B})\n\nmore", { A: "a fix", B: "3" }) // => ["a fix (#3)", "more"]
 */
export const fillTemplate = (template: string, values: Readonly<Record<string, string>>): readonly [string, string] => {
  let left = mostFilled
  const text = template.replace(/\$\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    left -= value?.length ?? 0
    return left < 0 ? whole : (value ?? whole)
  })
  const [title = "", ...rest] = text.split(/\r?\n/)
  return [title.trim(), rest.join("\n").trim()]
}

/** Reads the message template for a merge style from the base branch; undefined if there is no template. */
const templateOf = Effect.fnUntraced(function* (pull: PullRequest, base: ObjectId, style: MergeStyle) {
  const name = `${style.toUpperCase()}_TEMPLATE.md`
  const reader = yield* GitReader
  const paths = folders.map((folder) => `${folder}/default_merge_message/${name}`)
  const entries = yield* reader.entries(pull.repositoryId, base, paths)
  const found = entries.find((entry) => entry?.kind === "blob")
  if (found === undefined) return undefined
  const [blob] = yield* reader.objects(pull.repositoryId, [found.id], largestTemplate)
  return blob?.content === undefined ? undefined : new TextDecoder().decode(blob.content)
})

/**
 * Returns the message of a merge commit: the requested message, otherwise the repository's template, otherwise the
 * default.
 */
export const messageOf = Effect.fnUntraced(function* (
  style: MergeStyle,
  asked: { readonly title: string; readonly message: string },
  base: ObjectId,
  context: MessageContext
) {
  const { author, headName, issue, pull, repository } = context
  const template = asked.title === "" ? yield* templateOf(pull, base, style) : undefined
  const [title, body] =
    template === undefined
      ? usualMessage(style, context)
      : fillTemplate(template, {
          BaseRepoOwnerName: repository.owner.name,
          BaseRepoName: repository.name,
          BaseBranch: pull.baseBranch,
          HeadRepoOwnerName: pull.headOwner,
          HeadRepoName: headName,
          HeadBranch: pull.headBranch,
          PullRequestTitle: issue.title,
          PullRequestDescription: issue.body,
          PullRequestPosterName: author,
          PullRequestIndex: String(issue.number),
          PullRequestReference: `#${issue.number}`
        })
  const first = asked.title === "" ? title : asked.title
  const below = asked.message !== "" ? asked.message : asked.title === "" ? body : ""
  return below === "" ? `${first}\n` : `${first}\n\n${below.trim()}\n`
})

/** Returns the `Co-authored-by` lines for the message of a squash commit. */
export const coAuthors = Effect.fnUntraced(function* (pull: PullRequest, base: ObjectId, author: Ident) {
  const reader = yield* GitReader
  const window = { skip: 0, limit: mostRebased }
  const ids = yield* reader.log(pull.repositoryId, { from: [pull.headSha], not: [base] }, window)
  const commits = yield* reader.commits(pull.repositoryId, ids)
  const others = new Map(
    commits.flatMap((commit) =>
      commit === undefined || commit.author.email.toLowerCase() === author.email.toLowerCase()
        ? []
        : [[commit.author.email.toLowerCase(), commit.author]]
    )
  )
  return [...others.values()].reverse().map(({ email, name }) => `Co-authored-by: ${name} <${email}>`)
})
