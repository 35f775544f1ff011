import { GitReader, Revision } from "@slipway/domain/forge/code"
import { IssueStore, pulls, releases } from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { peopleOf, readableIn } from "../issues/views.ts"

/** The maximum number of commits that are searched for merged pull requests, and of pull requests that are listed. */
const most = { commits: 1_000, pulls: 500 }

/**
 * Generates release notes: a list of the pull requests that were merged since the previous release and that the actor
 * may read.
 */
export const generatedNotes = Effect.fnUntraced(function* (
  { resource: { actor, facts, repository } }: Proof<"repository.release.create">,
  { tag, target }: { readonly tag: string; readonly target?: string | undefined }
) {
  const reader = yield* GitReader
  const { id: repositoryId } = repository
  const find = (name: string) => Effect.map(reader.resolve(repositoryId, Revision.make(name)), (found) => found?.commit)
  const earlier = yield* (yield* releases.store).list(
    { repositoryId },
    { limit: 2 },
    { filter: { draft: false }, order: "published" }
  )
  const before = earlier.rows.find((each) => each.tag !== tag)
  const from = before && (yield* find(`refs/tags/${before.tag}`))
  const to = (yield* find(`refs/tags/${tag}`)) ?? (yield* find(target || repository.defaultBranch))
  if (to === undefined) return ""
  const history = { from: [to], not: from === undefined ? [] : [from] }
  const commits = yield* reader.log(repositoryId, history, { skip: 0, limit: most.commits })
  const filter = { mergeCommit: { in: commits } }
  const merged = (yield* (yield* pulls.store).list({ repositoryId }, { limit: most.pulls }, { filter })).rows
  const { rows } = yield* (yield* IssueStore).search(
    { ...readableIn(repository, facts), issues: false },
    { ids: merged.map(({ issueId }) => issueId) },
    "oldest",
    { page: 1, perPage: most.pulls }
  )
  const people = yield* peopleOf(
    actor,
    rows.map(({ issue }) => issue.authorId)
  )
  const lines = rows.map(({ issue: { authorId, number, title } }) => {
    const author = people.get(authorId)
    return `- ${title}${author === undefined ? "" : ` by @${author.name}`} (#${number})`
  })
  const since = before === undefined ? "" : ` since ${before.tag}`
  return lines.length === 0
    ? `No pull requests were merged${since}.`
    : `## Merged pull requests${since}\n\n${lines.join("\n")}`
})
