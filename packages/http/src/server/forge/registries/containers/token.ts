import { Entry } from "@slipway/forge/entry"
import { type ImageAccess, type ImageGrant, imageAccesses, RegistryTickets } from "@slipway/forge/registries"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { PublicUrl } from "../../base/PublicUrl.ts"
import { entryRequest, queryIn } from "../../entry/guard.ts"
import { answerFailures, containerError, registryHeaders, requestSignIn } from "./answers.ts"
import { answerUnauthorized, authenticateImage, nameIn, ticketIn } from "./enterImage.ts"

const site = { kind: "site" } as const

/** Handles `GET /v2/`, by which clients find out how to sign in: 200 with valid credentials, else a 401 challenge. */
export const greet = answerFailures(() =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const served = yield* PublicUrl
    const ticket = yield* ticketIn(request)
    const entered = yield* authenticateImage(ticket, entryRequest(request, served), site)
    if (ticket === undefined && entered.actor.user === undefined) {
      return yield* Effect.fail(requestSignIn(served, { message: "sign in" }))
    }
    yield* answerUnauthorized(entered.actor.user === undefined)(
      Entry.authorizeAndAudit("package.container.sign-in", entered)
    )
    return HttpServerResponse.jsonUnsafe({}, { headers: registryHeaders })
  })
)

const isAccess = (word: string): word is ImageAccess => imageAccesses.some((access) => access === word)

/**
 * Parses the image permissions in `scope` parameters, such as `repository:acme/tool:pull,push`, separated by spaces.
 *
 * @example
 * grantsIn(["repository:acme/tool:pull,push registry:catalog:*"]) // => [{ name: "acme/tool", access: ["pull", "push"] }]
 */
export const grantsIn = (scopes: ReadonlyArray<string>): ReadonlyArray<ImageGrant> =>
  scopes
    .flatMap((scope) => scope.split(" "))
    .flatMap((scope) => {
      const [, name = "", words = ""] = /^repository:([^:]{3,255}):([a-z*,]{1,50})$/.exec(scope) ?? []
      if (nameIn(name) === undefined) return []
      const access = words === "*" ? imageAccesses : words.split(",").filter(isAccess)
      return [{ name, access }]
    })

/** Handles the token endpoint: issues a ticket for the requested scope, limited to the caller's permissions. */
export const giveTicket = answerFailures(() =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const asked = entryRequest(request, yield* PublicUrl)
    // A ticket can't issue another one: it would never expire.
    if (RegistryTickets.isShown(request.headers.authorization)) {
      return yield* Effect.fail(requestSignIn(yield* PublicUrl, { error: "invalid_token" }))
    }
    const entered = yield* authenticateImage(undefined, asked, site)
    yield* answerUnauthorized(entered.actor.user === undefined)(
      Entry.authorizeAndAudit("package.container.sign-in", entered)
    )
    const grants = grantsIn(queryIn(request.url).getAll("scope"))
    const ticket = yield* RegistryTickets.give(entered.actor, asked, grants)
    if (ticket === undefined)
      return containerError(403, "DENIED", "a token is only issued after sign-in with a password or a token")
    const { issuedAt, seconds, token } = ticket
    return HttpServerResponse.jsonUnsafe(
      { token, access_token: token, expires_in: seconds, issued_at: issuedAt },
      { headers: { ...registryHeaders, "cache-control": "no-store" } }
    )
  })
)
