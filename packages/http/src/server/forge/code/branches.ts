import { identTime, notSigned } from "@slipway/domain/forge/code"
import { Branches, Tags } from "@slipway/forge/code"
import { Effect } from "effect"
import { branchEndpoints, tagEndpoints } from "../../../api/forge/code/branches.ts"
import { PublicUrl } from "../base/PublicUrl.ts"
import { showPayloadUser } from "../base/payloadUser.ts"
import { handle } from "../entry/handle.ts"

import { showMeta, showVerification } from "./commits.ts"
import { apiParts, linksOf, pathInUrl, type RepositoryLinks, restOfPath } from "./repositoryLinks.ts"

const showBranch =
  (links: RepositoryLinks) =>
  ({ last, mayMerge, mayPush, name, people, protection }: Branches.BranchDetails) => {
    const { commit, verification = notSigned } = last
    return {
      name,
      commit: {
        id: commit.id,
        message: commit.message,
        url: `${links.html}/commit/${commit.id}`,
        author: showPayloadUser(commit.author, people),
        committer: showPayloadUser(commit.committer, people),
        verification: showVerification(verification),
        timestamp: identTime(commit.committer),
        added: null,
        removed: null,
        modified: null
      },
      protected: protection !== undefined,
      required_approvals: protection?.approvals.required ?? 0,
      enable_status_check: protection?.statusChecks.enabled ?? false,
      status_check_contexts: protection?.statusChecks.contexts ?? [],
      user_can_push: mayPush,
      user_can_merge: mayMerge,
      effective_branch_protection_name: protection?.ruleName ?? ""
    }
  }

interface InRepository {
  readonly repository: Parameters<typeof linksOf>[1]
}

/** The handlers of branches. */
export const layerBranches = handle(
  branchEndpoints,
  {
    "repository.branch.list": ({ page, proof, query }) => Branches.list(proof, page, query.q),
    "repository.branch.read": ({ proof, request }) => Branches.read(proof, restOfPath(request, apiParts)),
    "repository.branch.create": ({ body, proof }) =>
      Branches.create(proof, body.new_branch_name, body.old_ref_name ?? body.old_branch_name),
    "repository.branch.move": ({ body, proof, request }) =>
      Branches.move(proof, restOfPath(request, apiParts), {
        to: body.new_commit_id,
        from: body.old_commit_id,
        force: body.force
      }),
    "repository.branch.rename": ({ body, proof, request }) =>
      Branches.rename(proof, restOfPath(request, apiParts), body.name),
    "repository.branch.delete": ({ proof, request }) => Branches.remove(proof, restOfPath(request, apiParts))
  },
  {
    showTo: ({ repository }: InRepository) => Effect.map(PublicUrl, (served) => showBranch(linksOf(served, repository)))
  }
)

const showTag =
  (links: RepositoryLinks) =>
  ({ commit, id, message, name }: Tags.Tag) => ({
    name,
    message,
    id,
    commit: { ...showMeta(links, "commits", commit.id), created: identTime(commit.committer) },
    zipball_url: `${links.html}/archive/refs/tags/${pathInUrl(name)}.zip`,
    tarball_url: `${links.html}/archive/refs/tags/${pathInUrl(name)}.tar.gz`
  })

/** The handlers of tags. */
export const layerTags = handle(
  tagEndpoints,
  {
    "repository.tag.list": ({ page, proof }) => Tags.list(proof, page),
    "repository.tag.read": ({ proof, request }) => Tags.read(proof, restOfPath(request, apiParts)),
    "repository.tag.create": ({ body, proof }) =>
      Tags.create(proof, { name: body.tag_name, message: body.message, target: body.target }),
    "repository.tag.delete": ({ proof, request }) => Tags.remove(proof, restOfPath(request, apiParts))
  },
  { showTo: ({ repository }: InRepository) => Effect.map(PublicUrl, (served) => showTag(linksOf(served, repository))) }
)
