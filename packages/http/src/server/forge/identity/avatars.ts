import { notFound } from "@slipway/domain/forge/access"
import { Avatars } from "@slipway/forge/identity"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { avatarEndpoints } from "../../../api/forge/identity/organizations.ts"
import { answerWithPublicUrl, PublicUrl, referenceUrl } from "../base/PublicUrl.ts"
import { handle } from "../entry/handle.ts"

/** The route of avatars. */
export const avatarRoute = "/avatars/:name"

/**
 * Layer with the route of avatars; it needs no authorization, because the names of uploaded avatars are unguessable.
 */
export const avatarRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add(
      "GET",
      avatarRoute,
      Effect.gen(function* () {
        const { params } = yield* HttpRouter.RouteContext
        const picture = yield* Avatars.read(params.name ?? "")
        return picture === undefined
          ? HttpServerResponse.jsonUnsafe(
              { message: notFound.message, url: referenceUrl(yield* PublicUrl) },
              { status: 404 }
            )
          : HttpServerResponse.uint8Array(picture, { contentType: "image/png" })
      }).pipe(answerWithPublicUrl)
    )
  })
)

/** The handlers of avatars. */
export const layerAvatars = handle(avatarEndpoints, {
  "organization.avatar.set": ({ body, proof }) => Avatars.setOfOrganization(proof, body.image),
  "organization.avatar.delete": ({ proof }) => Avatars.removeOfOrganization(proof),
  "account.avatar.set": ({ body, proof }) => Avatars.setOwn(proof, body.image),
  "account.avatar.delete": ({ proof }) => Avatars.removeOwn(proof),
  "repository.avatar.set": ({ body, proof }) => Avatars.setOfRepository(proof, body.image),
  "repository.avatar.delete": ({ proof }) => Avatars.removeOfRepository(proof)
})
