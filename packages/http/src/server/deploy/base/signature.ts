import { Webhooks } from "@slipway/deploy/apps"
import type { Vault } from "@slipway/domain"
import { type ApplicationStore, Provider } from "@slipway/domain/deploy/apps"
import type { GitlabAppStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer, Schema } from "effect"
import type { Digest, Mac } from "effect/crypto"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { SignatureGuard, SignatureProof } from "../../../api/deploy/base/access.ts"
import { NotFoundBody } from "../../../api/deploy/base/errors.ts"
import { withBody } from "../../wire/readBody.ts"
import { failureMessages, toHttpErrors } from "./errors.ts"
import { answerUnread } from "./unreadBody.ts"

const largestBody = 1024 * 1024

/**
 * The guard of webhook endpoints: authenticates requests by the signature of the body with the application's secret.
 */
export const layerSignatureGuard = Layer.effect(
  SignatureGuard,
  Effect.gen(function* () {
    const services = yield* Effect.context<ApplicationStore | Digest.Digest | GitlabAppStore | Mac.Mac | Vault>()
    return SignatureGuard.of((httpEffect) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const { params } = yield* HttpRouter.RouteContext
        const { provider, uuid: application = "" } = params
        if (!Schema.is(Provider)(provider)) return yield* new NotFoundBody({ message: failureMessages.notFound })
        const received = withBody(request, largestBody, (body) =>
          Webhooks.verify({ application, provider, headers: request.headers, body }).pipe(
            Effect.provideContext(services),
            toHttpErrors,
            Effect.flatMap((proof) => Effect.provideService(httpEffect, SignatureProof, proof)),
            Effect.exit
          )
        )
        return yield* answerUnread(received)
      })
    )
  })
)
