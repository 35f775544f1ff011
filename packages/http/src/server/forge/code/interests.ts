import type { Page } from "@slipway/domain"
import type { RepositoryWithGrants } from "@slipway/domain/forge/code"
import { Stars, Watches } from "@slipway/forge/code"
import { Effect } from "effect"
import { starEndpoints, watchEndpoints } from "../../../api/forge/code/interests.ts"
import { PublicUrl } from "../base/PublicUrl.ts"
import { showUserTo, type ViewerResource } from "../base/show.ts"
import { showRepositoriesTo } from "../base/showRepositories.ts"
import { handle, orMissing, shown, shownPage } from "../entry/handle.ts"

const showWatch = Effect.map(PublicUrl, ({ rootUrl }) => ({ repository, watch }: Watches.WatchOf) => {
  const url = `${rootUrl}/api/v1/repos/${repository.owner.name}/${repository.name}`
  return {
    subscribed: watch.watching,
    ignored: false,
    reason: null,
    created_at: watch.createdAt,
    url: `${url}/subscription`,
    repository_url: url
  }
})

/** The handlers of stars. */
export const layerStars = handle(
  starEndpoints,
  {
    "account.starred.list": ({ page, proof }) => Stars.ofSelf(proof, page),
    "account.starred.check": ({ proof }) => Stars.check(proof),
    "account.starred.add": ({ proof }) => Stars.add(proof),
    "account.starred.remove": ({ proof }) => Stars.remove(proof),
    "user.starred.list": ({ page, proof }) => Stars.ofUser(proof, page),
    "repository.stargazer.list": ({ page, proof }) =>
      shownPage(Stars.stargazers(proof, page), showUserTo(proof.resource))
  },
  { showAllTo: showRepositoriesTo }
)

const repositories = <E, R>(acting: ViewerResource, listing: Effect.Effect<Page<RepositoryWithGrants>, E, R>) =>
  Effect.gen(function* () {
    const found = yield* listing
    return shown({ ...found, rows: yield* showRepositoriesTo(acting, found.rows) })
  })

/** The handlers of watches of repositories. */
export const layerWatches = handle(
  watchEndpoints,
  {
    "account.subscription.list": ({ page, proof }) => repositories(proof.resource, Watches.ofSelf(proof, page)),
    "user.subscription.list": ({ page, proof }) => repositories(proof.resource, Watches.ofUser(proof, page)),
    "repository.subscriber.list": ({ page, proof }) =>
      shownPage(Watches.watchers(proof, page), showUserTo(proof.resource)),
    "repository.subscription.read": ({ proof }) => Effect.flatMap(Watches.read(proof), orMissing),
    "repository.subscription.add": ({ proof }) => Watches.add(proof),
    "repository.subscription.remove": ({ proof }) => Watches.remove(proof)
  },
  { showTo: () => showWatch }
)
