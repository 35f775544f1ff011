import type { TeamId } from "@slipway/domain/forge/identity"
import { Forks, Generation, Transfers, Upstream } from "@slipway/forge/code"
import { Effect } from "effect"
import { forkEndpoints } from "../../../api/forge/code/forks.ts"
import { PublicUrl } from "../base/PublicUrl.ts"
import { renameFields } from "../base/show.ts"
import { addressesOf, showRepositoriesTo } from "../base/showRepositories.ts"
import { handle, shown } from "../entry/handle.ts"

/** The handlers of forks, templates and transfers. */
export const layerForks = handle(
  forkEndpoints,
  {
    "repository.fork.list": ({ page, proof }) => Forks.list(proof, page),
    "repository.fork.create": ({ body, proof }) =>
      Forks.create(proof, renameFields(body, { default_branch_only: "defaultBranchOnly" })),
    "repository.merge-upstream": ({ body: { branch, ff_only: fastForwardOnly = false }, proof }) =>
      Effect.map(
        Upstream.merge(proof, { branch: branch ?? proof.resource.repository.defaultBranch, fastForwardOnly }),
        (merge_type) => shown({ merge_type })
      ),
    "repository.generate": Effect.fnUntraced(function* ({ body, proof }) {
      const { avatar = false, default_branch, git_content = false, labels = false, topics = false, ...said } = body
      const publicUrl = yield* PublicUrl
      return yield* Generation.generate(proof, {
        ...said,
        avatar,
        topics,
        defaultBranch: default_branch,
        files: git_content,
        labels,
        protections: said.protected_branch ?? false,
        addresses: (owner, name) => addressesOf(publicUrl, owner, name)
      })
    }),
    "repository.transfer": ({ body: { new_owner, team_ids = [] }, proof }) =>
      // BOUNDARY: the rule rejects an unknown team number.
      Transfers.start(proof, { newOwner: new_owner, teamIds: team_ids as ReadonlyArray<TeamId> }),
    "repository.transfer.accept": ({ proof }) => Transfers.accept(proof),
    "repository.transfer.reject": ({ proof }) => Transfers.reject(proof)
  },
  { showAllTo: showRepositoriesTo }
)
