import { notFound } from "@slipway/domain/forge/access"
import { identiconName } from "@slipway/domain/forge/identity"
import { Avatars } from "@slipway/forge/identity"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { avatarEndpoints } from "../../../api/forge/identity/organizations.ts"
import { handle } from "../base/handle.ts"
import { PublicUrl, reached, referenceUrl } from "../base/PublicUrl.ts"

/** Returns the path of a picture. */
export const avatarPath = (name: string): string => `/avatars/${name}`

/** Returns the path of the picture that is drawn for whoever has none. */
export const identiconPath = (name: string): string => avatarPath(identiconName(name))

/** The route that pictures are read from. */
export const avatarRoute = "/avatars/:name"

/** Serves pictures by their names, which nobody guesses: whoever was shown an address of one may see it. */
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
      }).pipe(reached)
    )
  })
)

/** The handlers of pictures. */
export const layerAvatars = handle(avatarEndpoints, {
  "organization.avatar.set": ({ body, proof }) => Avatars.setOfOrganization(proof, body.image),
  "organization.avatar.delete": ({ proof }) => Avatars.removeOfOrganization(proof),
  "account.avatar.set": ({ body, proof }) => Avatars.setOwn(proof, body.image),
  "account.avatar.delete": ({ proof }) => Avatars.removeOwn(proof),
  "repository.avatar.set": ({ body, proof }) => Avatars.setOfRepository(proof, body.image),
  "repository.avatar.delete": ({ proof }) => Avatars.removeOfRepository(proof)
})
