import { Forks, Generation, type TeamId, Transfers, Upstream } from "@slipway/domain/forge"
import { Effect } from "effect"
import { forkEndpoints } from "../../api/forge/forks.ts"
import { handle, shown } from "./handle.ts"
import { PublicUrl } from "./PublicUrl.ts"
import { renameFields } from "./show.ts"
import { addressesOf, showRepositoriesTo } from "./showRepositories.ts"

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
      const { default_branch, git_content = false, labels = false, protected_branch = false, ...said } = body
      const publicUrl = yield* PublicUrl
      return yield* Generation.generate(proof, {
        ...said,
        defaultBranch: default_branch,
        files: git_content,
        labels,
        protections: protected_branch,
        addresses: (owner, name) => addressesOf(publicUrl, owner, name)
      })
    }),
    "repository.transfer": ({ body: { new_owner, team_ids = [] }, proof }) =>
      // BOUNDARY: a number that no team has is refused by the rule.
      Transfers.start(proof, { newOwner: new_owner, teamIds: team_ids as ReadonlyArray<TeamId> }),
    "repository.transfer.accept": ({ proof }) => Transfers.accept(proof),
    "repository.transfer.reject": ({ proof }) => Transfers.reject(proof)
  },
  { showAllTo: showRepositoriesTo }
)
