import { notFound } from "@slipway/domain/forge"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { NotFoundBody } from "../../api/forge/errors.ts"
import { PublicUrl, referenceUrl } from "./PublicUrl.ts"

/** Answers 204 to a yes and 404 to a no; an answer that is there already, such as a redirect, stays. */
export const noContentOr404 = <E, R>(
  question: Effect.Effect<boolean | HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<undefined | HttpServerResponse.HttpServerResponse, E | NotFoundBody, R | PublicUrl> =>
  Effect.flatMap(question, (answer) => {
    if (HttpServerResponse.isHttpServerResponse(answer)) return Effect.succeed(answer)
    if (answer) return Effect.undefined
    return Effect.flatMap(PublicUrl, (publicUrl) =>
      Effect.fail(new NotFoundBody({ message: notFound.message, url: referenceUrl(publicUrl) }))
    )
  })
