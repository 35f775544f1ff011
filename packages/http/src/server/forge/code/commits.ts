import { secondsOf } from "@slipway/domain"
import {
  type Commit,
  type FileChange,
  type Ident,
  identTime,
  pathIn,
  type Repository,
  type Verification
} from "@slipway/domain/forge/code"
import { Blame, type CommitPeople, Commits } from "@slipway/forge/code"
import { Effect } from "effect"
import { isYes } from "../../../api/forge/base/schemas.ts"
import { commitEndpoints } from "../../../api/forge/code/commits.ts"
import { weakTagOf } from "../../wire/tags.ts"
import { streamAnswer, unlessCached } from "../base/conditional.ts"
import { PublicUrl } from "../base/PublicUrl.ts"
import { showUserTo, type ViewerResource } from "../base/show.ts"
import { handle } from "../entry/handle.ts"
import { apiParts, linksOf, pathInQuery, type RepositoryLinks, restOfPath } from "./repositoryLinks.ts"

/** Converts the author or committer stored in a commit to the API response. */
export const showIdent = (ident: Ident) => ({ name: ident.name, email: ident.email, date: identTime(ident) })

/** Converts the verification of a signature to its API response. */
export const showVerification = ({ payload, reason, signature, signer, verified }: Verification) => ({
  verified,
  reason,
  signature,
  payload,
  signer: signer ?? null
})

/** Returns the API response that refers to a git object, by its id and API URL. */
export const showMeta = ({ api }: RepositoryLinks, kind: "commits" | "trees", sha: string) => ({
  sha,
  url: `${api}/git/${kind}/${sha}`
})

const statuses = {
  added: "added",
  changed: "changed",
  copied: "copied",
  deleted: "removed",
  modified: "modified",
  renamed: "renamed"
} as const

const showFile = ({ after, before, status }: FileChange) => ({
  filename: (after ?? before)?.path ?? "",
  status: statuses[status]
})

const showStats = (changes: ReadonlyArray<FileChange>) => {
  const additions = changes.reduce((sum, change) => sum + change.additions, 0)
  const deletions = changes.reduce((sum, change) => sum + change.deletions, 0)
  return { total: additions + deletions, additions, deletions }
}

/** Which parts of a commit's changes the response contains: the files, the statistics. */
export interface ShownChanges {
  readonly files: boolean
  readonly stat: boolean
}

/** Returns a function that converts a commit of a repository to the API response for the actor. */
export const showCommitsOf = Effect.fnUntraced(function* (
  acting: ViewerResource & { readonly repository: Pick<Repository, "name" | "owner"> },
  people: CommitPeople,
  parts: ShownChanges = { files: true, stat: true }
) {
  const links = linksOf(yield* PublicUrl, acting.repository)
  const showUser = yield* showUserTo(acting)
  const showPerson = (who: Commit["author"]) => {
    const user = people(who)
    return user === undefined ? null : showUser(user)
  }
  return ({ changes, commit, verification }: Commits.CommitWithDetails) => ({
    url: `${links.api}/git/commits/${commit.id}`,
    sha: commit.id,
    created: identTime(commit.committer),
    html_url: `${links.html}/commit/${commit.id}`,
    commit: {
      url: `${links.api}/git/commits/${commit.id}`,
      author: showIdent(commit.author),
      committer: showIdent(commit.committer),
      message: commit.message,
      tree: showMeta(links, "trees", commit.tree),
      verification: verification === undefined ? null : showVerification(verification)
    },
    author: showPerson(commit.author),
    committer: showPerson(commit.committer),
    parents: commit.parents.map((parent) => showMeta(links, "commits", parent)),
    files: changes === undefined || !parts.files ? null : changes.map(showFile),
    stats: changes === undefined || !parts.stat ? null : showStats(changes)
  })
})

interface CommitParts {
  readonly files?: "0" | "1" | "false" | "true"
  readonly stat?: "0" | "1" | "false" | "true"
  readonly verification?: "0" | "1" | "false" | "true"
}

/** Returns the parts of a commit that the query requests; each part is included unless its parameter is false. */
const wantedIn = ({ files = "true", stat = "true", verification = "true" }: CommitParts) => {
  const parts = { files: isYes(files), stat: isYes(stat) }
  const details: Commits.CommitDetails = { changes: parts.files || parts.stat, verification: isYes(verification) }
  return { parts, details }
}

const readSeconds = (text: string | undefined): number | undefined => (text === undefined ? undefined : secondsOf(text))

const patchOf = (style: "diff" | "mails") =>
  Effect.fnUntraced(function* ({
    params,
    proof,
    request
  }: {
    readonly params: { readonly sha: string }
    readonly proof: Parameters<typeof Commits.patch>[0]
    readonly request: Parameters<typeof unlessCached>[0]
  }) {
    const { commit, text } = yield* Commits.patch(proof, params.sha, style)
    const answer = streamAnswer(text, { contentType: "text/plain; charset=utf-8" })
    return yield* unlessCached(request, weakTagOf(commit, style), answer)
  })

/** The handlers of commits. */
export const layerCommits = handle(commitEndpoints, {
  "repository.commit.list": Effect.fnUntraced(function* ({ page, proof, query, request }) {
    const { author, not, sha: revision, since, until } = query
    const path = pathInQuery(request, "path", query.path)
    const { details, parts } = wantedIn(query)
    const allBranches = isYes(query.all ?? "false")
    const filter = { revision, allBranches, path, author, not, since: readSeconds(since), until: readSeconds(until) }
    const { people, rows, ...counts } = yield* Commits.list(proof, filter, details, page)
    return { ...counts, rows: rows.map(yield* showCommitsOf(proof.resource, people, parts)) }
  }),
  "repository.compare": Effect.fnUntraced(function* ({ proof, request }) {
    const { commits, people, total } = yield* Commits.compare(proof, restOfPath(request, apiParts))
    const show = yield* showCommitsOf(proof.resource, people)
    return { total_commits: total, commits: commits.map(show) }
  }),
  "repository.compare.diff": Effect.fnUntraced(function* ({ proof, request }) {
    const { from, text, to } = yield* Commits.compareText(proof, restOfPath(request, apiParts))
    const answer = streamAnswer(text, { contentType: "text/plain; charset=utf-8" })
    return yield* unlessCached(request, weakTagOf(from ?? "", to), answer)
  }),
  "repository.blame": Effect.fnUntraced(function* ({ proof, query, request }) {
    const path = pathIn(restOfPath(request, apiParts))
    const range = { from: Math.max(query.from ?? 1, 1), count: Math.max(query.count ?? Blame.mostBlamed, 1) }
    const { commit, commits, people, ranges, total } = yield* Blame.read(proof, path, query.ref, range)
    const show = yield* showCommitsOf(proof.resource, people)
    return {
      sha: commit,
      path,
      total_lines: total,
      ranges: ranges.map(({ commit: sha, count, from }) => ({ sha, from, count })),
      commits: commits.map(show)
    }
  }),
  "repository.git.commit.read": Effect.fnUntraced(function* ({ params, proof, query }) {
    const { details, parts } = wantedIn(query)
    const { commit, people } = yield* Commits.read(proof, params.sha, details)
    const show = yield* showCommitsOf(proof.resource, people, parts)
    return show(commit)
  }),
  "repository.git.commit.diff": patchOf("diff"),
  "repository.git.commit.patch": patchOf("mails"),
  "repository.git.note.read": Effect.fnUntraced(function* ({ params, proof, query }) {
    const { details, parts } = wantedIn(query)
    const { by, message } = yield* Commits.note(proof, params.sha, details)
    const show = yield* showCommitsOf(proof.resource, by.people, parts)
    return { message, commit: show(by.commit) }
  })
})
