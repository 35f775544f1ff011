import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { ascending, owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"

/** The names of supported git hooks, in the order in which git runs them on a push. */
export const gitHookNames = ["pre-receive", "update", "post-receive"] as const
export type GitHookName = (typeof gitHookNames)[number]

/** A custom git hook of a repository, which git runs on a push. */
export interface GitHookProgram {
  readonly name: GitHookName
  readonly content: string
}

/** A stored git hook. */
export interface GitHook extends GitHookProgram {
  readonly id: number
  readonly repositoryId: RepositoryId
}

/** The table of the git hooks that are set in repositories. */
export const gitHooks = owned<GitHook>()("gitHook", {
  within: ["repositoryId"],
  fields: {
    repositoryId: Fields.reference("repository"),
    name: Fields.text<GitHookName>(),
    content: Fields.text()
  },
  orders: { oldest: ascending() },
  filters: ["name"],
  unique: { name: ["repositoryId", "name"] }
})

/** The maximum length of a git hook's script, in characters. */
export const longestGitHook = 65_536

/** Reports that there is no supported git hook with that name. */
export class GitHookNotFound extends Schema.TaggedError<GitHookNotFound>()("GitHookNotFound", {
  name: Schema.String
}) {}
/** Reports that the script of a git hook is invalid, and why. */
export class GitHookInvalid extends Schema.TaggedError<GitHookInvalid>()("GitHookInvalid", {
  problem: Schema.String
}) {}
