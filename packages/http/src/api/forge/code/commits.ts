import { Schema } from "effect"
import { endpoints, list, raw, read } from "../base/endpoints.ts"
import { ConflictBody, InvalidBody } from "../base/errors.ts"
import { Instant, QueryFlag, QueryNumber, text, User } from "../base/schemas.ts"

const instant = Schema.String.annotate({ format: "date-time" })

/** The author or committer as stored in a commit: name, email address and date. */
export const CommitUser = Schema.Struct({
  name: Schema.String,
  email: Schema.String,
  date: instant
}).annotate({ identifier: "CommitUser" })

/** A reference to a git object: its id and API URL. */
export const CommitMeta = Schema.Struct({
  url: Schema.String,
  sha: Schema.String,
  created: Schema.optionalKey(instant)
}).annotate({ identifier: "CommitMeta" })

/** A person in a webhook payload; `username` is empty if no user has the email address. */
export const PayloadUser = Schema.Struct({
  name: Schema.String,
  email: Schema.String,
  username: Schema.String
}).annotate({ identifier: "PayloadUser" })

/** The result of verifying the signature of a commit or tag. */
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

/** A commit with the users of author and committer; changed files and statistics are included on request. */
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

/** The comparison of two revisions: the commits of the head that the base does not contain. */
export const Compare = Schema.Struct({
  total_commits: Schema.Int,
  commits: Schema.Array(Commit)
}).annotate({ identifier: "Compare" })

/** The blame of a file: for each line, the commit that last changed it. */
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

/** A git note of a commit, with the commit that added the note. */
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
      all: Schema.optionalKey(
        QueryFlag.annotate({
          description:
            "If true, also lists the commits of all branches, at most 100, and each commit before its parents."
        })
      ),
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
