import { Schema } from "effect"
import { endpoints, list, raw, read } from "../base/endpoints.ts"
import { ConflictBody, InvalidBody } from "../base/errors.ts"
import { Instant, QueryFlag, QueryNumber, text, User } from "../base/schemas.ts"

const instant = Schema.String.annotate({ format: "date-time" })

/** The author or committer of a commit, as the commit names them. */
export const CommitUser = Schema.Struct({
  name: Schema.String,
  email: Schema.String,
  date: instant
}).annotate({ identifier: "CommitUser" })

/** An object by its name. */
export const CommitMeta = Schema.Struct({
  url: Schema.String,
  sha: Schema.String,
  created: Schema.optionalKey(instant)
}).annotate({ identifier: "CommitMeta" })

/** A user as a payload names them; `username` is empty where no user has the address. */
export const PayloadUser = Schema.Struct({
  name: Schema.String,
  email: Schema.String,
  username: Schema.String
}).annotate({ identifier: "PayloadUser" })

/** The verification of a signature. */
export const PayloadCommitVerification = Schema.Struct({
  verified: Schema.Boolean,
  reason: Schema.String,
  signature: Schema.String,
  signer: Schema.NullOr(PayloadUser),
  payload: Schema.String
}).annotate({ identifier: "PayloadCommitVerification" })

const CommitAffectedFiles = Schema.Struct({
  filename: Schema.String,
  status: Schema.Literals(["added", "changed", "copied", "modified", "removed", "renamed"])
}).annotate({ identifier: "CommitAffectedFiles" })

const CommitStats = Schema.Struct({
  total: Schema.Int,
  additions: Schema.Int,
  deletions: Schema.Int
}).annotate({ identifier: "CommitStats" })

/** A commit as stored in git. */
export const RepoCommit = Schema.Struct({
  url: Schema.String,
  author: CommitUser,
  committer: CommitUser,
  message: Schema.String,
  tree: CommitMeta,
  verification: Schema.NullOr(PayloadCommitVerification)
}).annotate({ identifier: "RepoCommit" })

/** A commit with its users, and with its changes where they were requested. */
export const Commit = Schema.Struct({
  url: Schema.String,
  sha: Schema.String,
  created: instant,
  html_url: Schema.String,
  commit: RepoCommit,
  author: Schema.NullOr(User),
  committer: Schema.NullOr(User),
  parents: Schema.Array(CommitMeta),
  files: Schema.NullOr(Schema.Array(CommitAffectedFiles)),
  stats: Schema.NullOr(CommitStats)
}).annotate({ identifier: "Commit" })

/** The commits of one revision that another one lacks. */
export const Compare = Schema.Struct({
  total_commits: Schema.Int,
  commits: Schema.Array(Commit)
}).annotate({ identifier: "Compare" })

/** Which commit last changed each line of a file. */
export const Blame = Schema.Struct({
  /** The commit at which the file is read. */
  sha: Schema.String,
  path: Schema.String,
  total_lines: Schema.Int.annotate({ description: "The number of lines of the whole file." }),
  ranges: Schema.Array(
    Schema.Struct({
      sha: Schema.String,
      from: Schema.Int.annotate({ description: "The first line, from one on." }),
      count: Schema.Int
    })
  ),
  commits: Schema.Array(Commit).annotate({ description: "The commits of the ranges, each once." })
}).annotate({ identifier: "Blame" })

/** A note, with the commit that wrote it. */
export const Note = Schema.Struct({ message: Schema.String, commit: Schema.NullOr(Commit) }).annotate({
  identifier: "Note"
})

const details = {
  verification: Schema.optionalKey(QueryFlag.annotate({ description: "Omits signatures if false." })),
  files: Schema.optionalKey(QueryFlag.annotate({ description: "Omits the files if false." }))
}
const stat = Schema.optionalKey(QueryFlag.annotate({ description: "Omits the line counts if false." }))

/** The endpoints of commits. */
export const commitEndpoints = endpoints("commits", "Commits of a repository, and their changes.", {
  "repository.commit.list": list(Commit, {
    query: {
      ...details,
      stat,
      sha: Schema.optionalKey(text(300).annotate({ description: "A revision; the default branch if omitted." })),
      path: Schema.optionalKey(text(4_096)),
      author: Schema.optionalKey(text(300)),
      since: Schema.optionalKey(Instant),
      until: Schema.optionalKey(Instant),
      not: Schema.optionalKey(text(300).annotate({ description: "Excludes this revision and its ancestors." }))
    },
    errors: [ConflictBody]
  }),
  "repository.compare": read(Compare),
  "repository.compare.diff": raw({ contentType: "text/plain; charset=utf-8" }),
  "repository.blame": read(Blame, {
    query: {
      ref: Schema.optionalKey(text(300).annotate({ description: "A revision; the default branch if it is missing." })),
      from: Schema.optionalKey(QueryNumber.annotate({ description: "The first line, from one on." })),
      count: Schema.optionalKey(QueryNumber.annotate({ description: "The number of lines, at most 5,000." }))
    },
    errors: [InvalidBody]
  }),
  "repository.git.commit.read": read(Commit, { query: { ...details, stat } }),
  "repository.git.commit.diff": raw({ contentType: "text/plain; charset=utf-8" }),
  "repository.git.commit.patch": raw({ contentType: "text/plain; charset=utf-8" }),
  "repository.git.note.read": read(Note, { query: details })
})
