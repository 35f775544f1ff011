import { gitHookNames, longestGitHook } from "@slipway/domain/forge/code"
import { Schema } from "effect"
import { all, edit, endpoints, read, remove } from "../base/endpoints.ts"
import { optionalNullable, text } from "../base/schemas.ts"

/** A custom script of a repository that git runs on a push. */
export const GitHook = Schema.Struct({
  name: Schema.Literals(gitHookNames),
  is_active: Schema.Boolean,
  content: Schema.String
}).annotate({ identifier: "GitHook" })

/** The request body that sets the script of a git hook. */
export const EditGitHookOption = Schema.Struct({
  content: optionalNullable(text(longestGitHook))
}).annotate({ identifier: "EditGitHookOption" })

/** The endpoints of git hooks. */
export const gitHookEndpoints = endpoints(
  "git-hooks",
  "Git hooks, which git runs on a push, where the site allows them.",
  {
    "repository.git-hook.list": all(GitHook),
    "repository.git-hook.read": read(GitHook),
    "repository.git-hook.edit": edit(GitHook, { body: EditGitHookOption, largest: 4 * longestGitHook }),
    "repository.git-hook.delete": remove()
  }
)
