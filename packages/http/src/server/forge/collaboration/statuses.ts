import type { CommitStatus } from "@slipway/domain/forge/collaboration"
import type { SeenUser, UserId } from "@slipway/domain/forge/identity"
import { Statuses } from "@slipway/forge/collaboration"
import { Effect } from "effect"
import { statusEndpoints } from "../../../api/forge/collaboration/statuses.ts"
import { PublicUrl } from "../base/PublicUrl.ts"
import { showUserTo, type ViewerResource } from "../base/show.ts"
import { showRepositoriesTo } from "../base/showRepositories.ts"
import { Shown } from "../base/wireAnswers.ts"
import { linksOf } from "../code/repositoryLinks.ts"
import { handle, orMissing } from "../entry/handle.ts"

type Creators = ReadonlyMap<UserId, SeenUser>

/** Returns a function that converts a commit status to the API response for the actor. */
export const showStatusesOf = Effect.fnUntraced(function* (
  acting: ViewerResource & { readonly repository: Parameters<typeof linksOf>[1] },
  creators: Creators
) {
  const links = linksOf(yield* PublicUrl, acting.repository)
  const showUser = yield* showUserTo(acting)
  return (status: CommitStatus) => {
    const creator = status.creatorId === null ? undefined : creators.get(status.creatorId)
    return {
      id: status.id,
      status: status.state,
      target_url: status.targetUrl,
      description: status.description,
      url: `${links.api}/statuses/${status.commit}`,
      context: status.context,
      creator: creator === undefined ? null : showUser(creator),
      created_at: status.createdAt,
      updated_at: status.updatedAt
    }
  }
})

type Sort = "highestindex" | "leastindex" | "leastupdate" | "oldest" | "recentupdate"

/** Returns the order for a sort parameter; statuses are never changed, so update order and id order are the same. */
const orderOf = (sort: Sort = "recentupdate") =>
  sort === "oldest" || sort === "leastupdate" || sort === "leastindex" ? "oldest" : "newest"

const list = Effect.fnUntraced(function* (
  proof: Parameters<typeof Statuses.list>[0],
  revision: string,
  page: Parameters<typeof Statuses.list>[2],
  { sort, state }: { readonly sort?: Sort; readonly state?: CommitStatus["state"] }
) {
  const { creators, more, rows, total } = yield* Statuses.list(proof, revision, page, { state, order: orderOf(sort) })
  const show = yield* showStatusesOf(proof.resource, creators)
  return { rows: rows.map(show), total, more }
})

/** The handlers of the results of checks for commits. */
export const layerStatuses = handle(statusEndpoints, {
  "repository.status.list": ({ page, params, proof, query }) => list(proof, params.sha, page, query),
  "repository.commit.status.list": ({ page, params, proof, query }) => list(proof, params.ref, page, query),
  "repository.status.create": Effect.fnUntraced(function* ({ body, params, proof }) {
    const { target_url: targetUrl, ...said } = body
    const { creators, status } = yield* Statuses.create(proof, params.sha, { ...said, targetUrl })
    const show = yield* showStatusesOf(proof.resource, creators)
    return show(status)
  }),
  "repository.commit.status.combined": Effect.fnUntraced(function* ({ page, params, proof }) {
    const links = linksOf(yield* PublicUrl, proof.resource.repository)
    const { commit, creators, state, statuses, total } = yield* Statuses.combinedStatus(proof, params.ref, page)
    const show = yield* showStatusesOf(proof.resource, creators)
    const [repository] = yield* showRepositoriesTo(proof.resource, [proof.resource])
    const answer = {
      state,
      sha: commit,
      total_count: total,
      statuses: statuses.map(show),
      repository: yield* orMissing(repository),
      commit_url: `${links.api}/git/commits/${commit}`,
      url: `${links.api}/commits/${commit}/status`
    }
    return new Shown(answer, { page, total })
  })
})
