import type { GitHookProgram } from "@slipway/domain/forge/code"
import { GitHooks } from "@slipway/forge/code"
import { gitHookEndpoints } from "../../../api/forge/code/gitHooks.ts"
import { handle } from "../entry/handle.ts"

const showGitHook = ({ content, name }: GitHookProgram) => ({ name, is_active: content !== "", content })

/** The handlers of git hooks. */
export const layerGitHooks = handle(
  gitHookEndpoints,
  {
    "repository.git-hook.list": ({ proof }) => GitHooks.list(proof),
    "repository.git-hook.read": ({ params, proof }) => GitHooks.read(proof, params.id),
    "repository.git-hook.edit": ({ body, params, proof }) => GitHooks.edit(proof, params.id, body.content ?? ""),
    "repository.git-hook.delete": ({ params, proof }) => GitHooks.remove(proof, params.id)
  },
  { show: showGitHook }
)
