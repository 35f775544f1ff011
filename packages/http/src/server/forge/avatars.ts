import { Avatars, notFound } from "@slipway/domain/forge"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { AvatarsApi } from "../../api/forge/organizations.ts"
import { toHttpErrors } from "./errors.ts"
import { granted } from "./guard.ts"
import { PublicUrl, referenceUrl } from "./PublicUrl.ts"

class Api extends HttpApi.make("forge").add(AvatarsApi).prefix("/api/v1") {}

/** Returns the path of a picture. */
export const avatarPath = (name: string): string => `/avatars/${name}`

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
      })
    )
  })
)

/** The handlers of pictures. */
export const layerAvatars = HttpApiBuilder.group(Api, "avatars", (handlers) =>
  handlers.handleAll({
    setOfOrganization: ({ payload }) =>
      toHttpErrors(
        Effect.flatMap(granted("organization.avatar.set"), (proof) => Avatars.setOfOrganization(proof, payload.image))
      ),
    removeOfOrganization: () =>
      toHttpErrors(Effect.flatMap(granted("organization.avatar.delete"), Avatars.removeOfOrganization)),
    setOwn: ({ payload }) =>
      toHttpErrors(Effect.flatMap(granted("account.avatar.set"), (proof) => Avatars.setOwn(proof, payload.image))),
    removeOwn: () => toHttpErrors(Effect.flatMap(granted("account.avatar.delete"), Avatars.removeOwn))
  })
)
