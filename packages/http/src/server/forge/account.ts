import { Blocks, Emails, Follows, UserSettings, Users } from "@slipway/domain/forge"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { AccountApi } from "../../api/forge/account.ts"
import { withoutNulls } from "../../api/forge/schemas.ts"
import { noContentOr404 } from "./answers.ts"
import { toHttpErrors } from "./errors.ts"
import { granted } from "./guard.ts"
import { answerPage } from "./pages.ts"
import { renameFields, showEmail, showSettings, showUserTo } from "./show.ts"

class Api extends HttpApi.make("forge").add(AccountApi).prefix("/api/v1") {}

/** The handlers of the signed-in user. */
export const layerAccount = HttpApiBuilder.group(Api, "account", (handlers) =>
  handlers.handleAll({
    read: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("account.read")
          const show = yield* showUserTo(proof.resource.actor, true)
          return show(yield* Users.readSelf(proof))
        })
      ),
    readSettings: () => Effect.map(granted("account.settings.read"), (proof) => showSettings(UserSettings.read(proof))),
    editSettings: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("account.settings.edit")
          const input = renameFields(withoutNulls(payload), {
            full_name: "fullName",
            diff_view_style: "diffViewStyle",
            hide_email: "hideEmail",
            hide_activity: "hideActivity"
          })
          return showSettings(yield* UserSettings.edit(proof, input))
        })
      ),
    emails: () =>
      Effect.gen(function* () {
        const proof = yield* granted("account.email.list")
        return (yield* Emails.list(proof)).map(showEmail)
      }),
    addEmails: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("account.email.add")
          return (yield* Emails.add(proof, payload.emails)).map(showEmail)
        })
      ),
    removeEmails: ({ payload }) =>
      toHttpErrors(Effect.flatMap(granted("account.email.remove"), (proof) => Emails.remove(proof, payload.emails))),
    followers: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("account.follower.list")
        const show = yield* showUserTo(proof.resource.actor)
        return yield* answerPage(query, (page) => Follows.ownFollowers(proof, page), show)
      }),
    following: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("account.following.list")
        const show = yield* showUserTo(proof.resource.actor)
        return yield* answerPage(query, (page) => Follows.ownFollowing(proof, page), show)
      }),
    follows: () => noContentOr404(Effect.flatMap(granted("account.following.check"), Follows.amFollowing)),
    follow: () => toHttpErrors(Effect.flatMap(granted("account.following.add"), Follows.follow)),
    unfollow: ({ params }) =>
      toHttpErrors(
        Effect.flatMap(granted("account.following.remove"), (proof) => Follows.unfollow(proof, params.username))
      ),
    blocks: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("account.block.list")
        const show = yield* showUserTo(proof.resource.actor)
        return yield* answerPage(query, (page) => Blocks.list(proof, page), show)
      }),
    isBlocked: ({ params }) =>
      noContentOr404(
        toHttpErrors(Effect.flatMap(granted("account.block.check"), (proof) => Blocks.check(proof, params.username)))
      ),
    block: ({ params, query }) =>
      toHttpErrors(
        Effect.flatMap(granted("account.block.add"), (proof) => Blocks.add(proof, params.username, query.note ?? ""))
      ),
    unblock: ({ params }) =>
      toHttpErrors(Effect.flatMap(granted("account.block.remove"), (proof) => Blocks.remove(proof, params.username)))
  })
)
