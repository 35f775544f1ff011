import {
  type Actor,
  actions,
  Entry,
  entryAnswers,
  type LoadedAction,
  OwnThings,
  type Proof,
  type SignInSlowed,
  targetIn,
  targetParameters
} from "@slipway/domain/forge"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { answerTo } from "./errors.ts"
import { entryRequest, signedRequest } from "./guard.ts"
import { PublicUrl, referenceUrl } from "./PublicUrl.ts"
import { redirect } from "./redirect.ts"

/** Answers a sign-in that has to wait, with how long. */
export const slowed = ({ seconds }: SignInSlowed) =>
  Effect.map(PublicUrl, (served) => {
    const { message, status } = entryAnswers.slowed
    const body = { message, url: referenceUrl(served) }
    return HttpServerResponse.jsonUnsafe(body, { status, headers: { "retry-after": String(seconds) } })
  })

/** What is known of a request besides its head. */
export interface Admission {
  /** Who was let in before the body came: they are looked up anew, without a second sign-in. */
  readonly before?: Actor | undefined
  /** The body, where it was read. */
  readonly body?: Uint8Array | undefined
}

/** Returns what a request is let in by. */
const entering = Effect.fnUntraced(function* (body: Uint8Array | undefined) {
  const served = yield* PublicUrl
  const sent = yield* HttpServerRequest.HttpServerRequest
  return { ...entryRequest(sent, served), signed: signedRequest(sent, served, body) }
})

/** Lets the caller of a request in and decides the action: a proof, or the answer where it moved or has to wait. */
export const admitted = <A extends LoadedAction>(action: A, { before, body }: Admission = {}) => {
  const { on } = actions[action]
  return Effect.gen(function* () {
    const request = { ...(yield* entering(body)), changesPassword: Entry.isPasswordChange(action) }
    const { params } = yield* HttpRouter.RouteContext
    const target = targetIn(on, params)
    const entered = yield* before === undefined
      ? Entry.enter(request, target)
      : Entry.enterAgain(before, request, target)
    return (yield* Entry.authorizeAndAudit(action, entered as never)) as Proof<A>
  }).pipe(
    Effect.catchTag("SignInSlowed", slowed),
    Effect.catchTag("Renamed", ({ to }) => {
      const parts = targetParameters(on)
      return redirect((parameter) => to[Object.keys(parts).find((part) => parts[part] === parameter) ?? ""])
    })
  )
}

/**
 * Lets the caller of a request of one's own in and decides an action of one's own on the thing of a name: a proof, or the answer
 * to whoever is refused. For routes that stand beside those of the library.
 */
export const admittedTo = (action: string, name: string, body?: Uint8Array) =>
  Effect.gen(function* () {
    const entered = yield* Entry.enter(yield* entering(body), { kind: "site" })
    return yield* OwnThings.authorize(action, entered, name)
  }).pipe(Effect.catchTag("SignInSlowed", slowed), Effect.catch(answerTo))
