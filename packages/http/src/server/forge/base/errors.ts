import type { Problems } from "@slipway/domain"
import type { UserRenamed } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { type HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { invalidText, missing, refusal, type Url } from "./errorParts.ts"
import { errorTable } from "./errorTable.ts"
import { failureMessages } from "./failureMessages.ts"
import { PublicUrl, referenceUrl } from "./PublicUrl.ts"
import { redirectTo } from "./redirect.ts"

export { failureMessages, invalidText, refusal }

type Table = typeof errorTable
/** The domain errors that are converted to HTTP errors. */
export type KnownError = Parameters<Table[keyof Table]>[0]
type WireOf<E> = E extends { readonly _tag: infer Tag extends keyof Table } ? ReturnType<ReturnType<Table[Tag]>> : never

/** The services needed to convert errors to responses. */
type Wire = PublicUrl | HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext

const translated = <E extends KnownError | UserRenamed>(
  error: E
): Effect.Effect<HttpServerResponse.HttpServerResponse, WireOf<E>, Wire> => {
  if (error._tag === "UserRenamed") return redirectTo(error.name, error.present)
  const translate = errorTable[error._tag] as (error: KnownError) => (url: Url) => WireOf<E>
  return Effect.flatMap(PublicUrl, (publicUrl) =>
    Effect.fail(translate(error as KnownError)({ url: referenceUrl(publicUrl) }))
  )
}

/** Fails with the 404 body for a missing resource. */
export const missingBody = Effect.flatMap(PublicUrl, (publicUrl) =>
  Effect.fail(missing({ url: referenceUrl(publicUrl) }))
)

/** Converts domain errors to HTTP error bodies, and a renamed user to a redirect. */
export const toHttpErrors = <A, E extends KnownError | UserRenamed, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A | HttpServerResponse.HttpServerResponse, WireOf<E>, R | Wire> => Effect.catch(effect, translated<E>)

/** The errors that a handler may fail with, including the redirect from a user's previous name. */
export type HandlerError = KnownError | UserRenamed

const statuses = {
  UnauthorizedBody: 401,
  ForbiddenBody: 403,
  NotFoundBody: 404,
  NotMergeableBody: 405,
  ConflictBody: 409,
  PreconditionFailedBody: 412,
  InvalidBody: 422,
  LockedBody: 423,
  ServerErrorBody: 500,
  UnavailableBody: 503
} as const

/** Converts a domain error to its error response. */
export const answerTo = (error: HandlerError): Effect.Effect<HttpServerResponse.HttpServerResponse, never, Wire> =>
  Effect.catch(translated(error), ({ _tag, message, url }) =>
    Effect.succeed(
      HttpServerResponse.jsonUnsafe(
        { message, url },
        { status: statuses[_tag], headers: _tag === "UnavailableBody" ? { "retry-after": "1" } : {} }
      )
    )
  )

const errorAnswer = (status: number, message: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.map(PublicUrl, (served) =>
    HttpServerResponse.jsonUnsafe({ message, url: referenceUrl(served) }, { status, headers })
  )

// The rest of a body is not read: the connection ends with the answer.
const closing = { connection: "close" }

/** The error responses to requests with unreadable or invalid input, by error tag. */
export const wrongBody = {
  WrongInput: ({ problems }: { readonly problems: Problems }) => errorAnswer(422, invalidText(problems)),
  BodyNotJson: ({ sentence }: { readonly sentence: string }) =>
    errorAnswer(422, invalidText({ body: [sentence.replace(/^The body /, "")] })),
  BodyTooLarge: () => errorAnswer(413, failureMessages.tooLarge, closing),
  BodyTooSlow: () => errorAnswer(408, "the body arrived too slowly", closing),
  BodiesFull: () => errorAnswer(503, "too many bodies are being read concurrently", { ...closing, "retry-after": "1" })
} as const
