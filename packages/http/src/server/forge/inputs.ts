import { type Problems, problemsOf } from "@slipway/domain"
import { Effect, Layer } from "effect"
import { type HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { type GrantedProof, Inputs } from "../../api/forge/access.ts"
import { InvalidBody, TooLargeBody } from "../../api/forge/errors.ts"
import { asJson, parseJson, readText } from "../bodies.ts"
import { invalidText, texts } from "./errors.ts"
import { PublicUrl, referenceUrl } from "./PublicUrl.ts"

type Provided = HttpRouter.Provided | GrantedProof

/** Reads the body of a request as JSON, once the guard has let it in, and answers every wrong request alike. */
export const layerInputs = Layer.effect(
  Inputs,
  Effect.map(PublicUrl, (publicUrl) => {
    const url = referenceUrl(publicUrl)
    const wrong = (problems: Problems) => Effect.fail(new InvalidBody({ message: invalidText(problems), url }))
    const notJson = ({ sentence }: { readonly sentence: string }) =>
      wrong({ body: [sentence.replace(/^The body /, "")] })
    const tooLarge = () => Effect.fail(new TooLargeBody({ message: texts.tooLarge, url }))
    return Inputs.of((httpEffect, { endpoint }) => {
      const handled: Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, Provided> = httpEffect
      const withBody = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const sent = yield* Effect.catchTags(readText(request), { BodyNotJson: notJson, BodyTooLarge: tooLarge })
        // A PUT says by its path alone what is wanted: its body only adds to that.
        const text = sent === "" && endpoint.method === "PUT" ? "{}" : sent
        yield* Effect.catchTag(parseJson(text), "BodyNotJson", notJson)
        return yield* Effect.provideService(handled, HttpServerRequest.HttpServerRequest, asJson(request, text))
      })
      return (endpoint.payload.size === 0 ? handled : withBody).pipe(
        Effect.catch((error) => {
          if (!HttpApiError.HttpApiSchemaError.is(error)) return Effect.fail(error)
          const { cause, kind } = error
          // An answer that isn't as it is declared is our mistake, not the caller's.
          if (kind === "Body" || kind === "ResponseHeaders") return Effect.die(error)
          return wrong(problemsOf(cause.issue, kind === "Payload" ? "body" : kind.toLowerCase()))
        })
        // BOUNDARY: 413 and 422 are declared by `Inputs`.
      ) as never
    })
  })
)
