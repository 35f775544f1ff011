import { Follows, Users } from "@slipway/domain/forge"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { UsersApi } from "../../api/forge/users.ts"
import { noContentOr404 } from "./answers.ts"
import { toHttpErrors } from "./errors.ts"
import { granted } from "./guard.ts"
import { answerPage } from "./pages.ts"
import { showUserTo } from "./show.ts"

class Api extends HttpApi.make("forge").add(UsersApi).prefix("/api/v1") {}

/** The handlers of users. */
export const layerUsers = HttpApiBuilder.group(Api, "users", (handlers) =>
  handlers.handleAll({
    search: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("user.search")
        const show = yield* showUserTo(proof.resource.actor)
        const filter = { text: query.q, id: query.uid }
        const read = (page: Parameters<typeof Users.search>[2]) => Users.search(proof, filter, page)
        return yield* answerPage(query, read, show, (data) => ({ ok: true, data }))
      }),
    read: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("user.read")
          const show = yield* showUserTo(proof.resource.actor)
          return show(yield* Users.read(proof))
        })
      ),
    followers: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("user.follower.list")
        const show = yield* showUserTo(proof.resource.actor)
        return yield* answerPage(query, (page) => Follows.followers(proof, page), show)
      }),
    following: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("user.following.list")
        const show = yield* showUserTo(proof.resource.actor)
        return yield* answerPage(query, (page) => Follows.following(proof, page), show)
      }),
    follows: ({ params }) =>
      Effect.gen(function* () {
        const proof = yield* granted("user.following.check")
        return yield* noContentOr404(Follows.isFollowing(proof, params.target))
      })
  })
)
