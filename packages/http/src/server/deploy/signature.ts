import type { Vault } from "@slipway/domain"
import { type ApplicationStore, Provider, Webhooks } from "@slipway/domain/deploy"
import { ByteSize, Effect, Layer, Schema } from "effect"
import type { Digest, Mac } from "effect/crypto"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest } from "effect/http"
import { SignatureGuard, SignatureProof } from "../../api/deploy/access.ts"
import { NotFoundBody } from "../../api/deploy/errors.ts"
import { BodyTooLarge, readBytes } from "../bodies.ts"
import { texts, toHttpErrors } from "./errors.ts"

const largestBody = ByteSize.mebibytes(1)

/** Reads a body of at most 1 MiB; one that breaks off is one whose signature is wrong. */
const readBody = (request: HttpServerRequest.HttpServerRequest) =>
  Number(request.headers["content-length"] ?? 0) > Number(largestBody)
    ? Effect.fail(new BodyTooLarge())
    : readBytes(request).pipe(
        Effect.provideService(HttpIncomingMessage.MaxBodySize, largestBody),
        Effect.catchTag("BodyNotJson", () => Effect.succeed(new Uint8Array()))
      )

/** The guard of webhooks: it lets in whoever signed the body with the application's secret. */
export const layerSignatureGuard = Layer.effect(
  SignatureGuard,
  Effect.gen(function* () {
    const services = yield* Effect.context<ApplicationStore | Digest.Digest | Mac.Mac | Vault>()
    return SignatureGuard.of((httpEffect) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const { params } = yield* HttpRouter.RouteContext
        const { provider, uuid: application = "" } = params
        if (!Schema.is(Provider)(provider)) return yield* new NotFoundBody({ message: texts.notFound })
        const proof = yield* readBody(request).pipe(
          Effect.flatMap((body) => Webhooks.verify({ application, provider, headers: request.headers, body })),
          Effect.provideContext(services),
          toHttpErrors
        )
        return yield* Effect.provideService(httpEffect, SignatureProof, proof)
      })
    )
  })
)
