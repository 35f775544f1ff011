import type { PageRequest } from "@slipway/domain"
import { AccessPreview, Members, OrganizationBlocks } from "@slipway/domain/forge"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { MembersApi } from "../../api/forge/organizations.ts"
import { noContentOr404 } from "./answers.ts"
import { orDryRun } from "./dryRun.ts"
import { toHttpErrors } from "./errors.ts"
import { granted } from "./guard.ts"
import { answerPage } from "./pages.ts"
import { showUserTo } from "./show.ts"

class Api extends HttpApi.make("forge").add(MembersApi).prefix("/api/v1") {}

/** The handlers of the members of organizations, and of whom these block. */
export const layerMembers = HttpApiBuilder.group(Api, "members", (handlers) =>
  handlers.handleAll({
    list: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("organization.member.list")
        const show = yield* showUserTo(proof.resource.actor)
        return yield* answerPage(query, (page) => Members.list(proof, page), show)
      }),
    check: ({ params }) =>
      noContentOr404(
        Effect.flatMap(granted("organization.member.check"), (proof) => Members.check(proof, params.username))
      ),
    remove: ({ params, query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("organization.member.remove")
          const remove = Members.remove(proof, params.username)
          const preview = (page: PageRequest) => AccessPreview.ofFormerMember(proof, params.username, remove, page)
          return yield* orDryRun(query, preview, remove)
        })
      ),
    listPublic: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("organization.public-member.list")
        const show = yield* showUserTo(proof.resource.actor)
        return yield* answerPage(query, (page) => Members.listPublic(proof, page), show)
      }),
    checkPublic: ({ params }) =>
      noContentOr404(
        Effect.flatMap(granted("organization.public-member.check"), (proof) =>
          Members.checkPublic(proof, params.username)
        )
      ),
    publicize: ({ params }) =>
      toHttpErrors(
        Effect.flatMap(granted("organization.public-member.add"), (proof) => Members.publicize(proof, params.username))
      ),
    conceal: ({ params }) =>
      toHttpErrors(
        Effect.flatMap(granted("organization.public-member.remove"), (proof) => Members.conceal(proof, params.username))
      ),
    blocks: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("organization.block.list")
        const show = yield* showUserTo(proof.resource.actor)
        return yield* answerPage(query, (page) => OrganizationBlocks.list(proof, page), show)
      }),
    isBlocked: ({ params }) =>
      noContentOr404(
        toHttpErrors(
          Effect.flatMap(granted("organization.block.check"), (proof) =>
            OrganizationBlocks.check(proof, params.username)
          )
        )
      ),
    block: ({ params, query }) =>
      toHttpErrors(
        Effect.flatMap(granted("organization.block.add"), (proof) =>
          OrganizationBlocks.add(proof, params.username, query.note ?? "")
        )
      ),
    unblock: ({ params }) =>
      toHttpErrors(
        Effect.flatMap(granted("organization.block.remove"), (proof) =>
          OrganizationBlocks.remove(proof, params.username)
        )
      )
  })
)
