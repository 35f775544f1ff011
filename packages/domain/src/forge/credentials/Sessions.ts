import { DateTime, Effect, Redacted } from "effect"
import type { PageRequest } from "../../Page.ts"
import { type Proof, signedInUser } from "../accounts/Actor.ts"
import { audited } from "../events/record.ts"
import { hashOf, type MintedToken, makeTokenText, TokenId, TokenNotFound } from "./AccessToken.ts"
import { AccessTokenStore } from "./AccessTokenStore.ts"

/** How long a session lasts, in days. */
export const sessionLasts = 14

/** How many sessions a user may have at once; the first one ends when another would be too many. */
export const mostSessions = 100

const longestAgent = 200

const tellable = (text: string): string => [...text.replace(/\p{Cc}/gu, " ")].slice(0, longestAgent).join("")

/**
 * Begins a session in a browser, which calls itself `agent`.
 *
 * It is a token that reaches all that its user may do, and that neither makes tokens nor stands in for the password.
 */
export const begin = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.session.create">, agent: string) {
    const { id: userId } = signedInUser(resource)
    const tokens = yield* AccessTokenStore
    const { rows, total } = yield* tokens.ofUser(userId, { page: 1, perPage: 1 }, "session")
    const [first] = rows
    if ((total ?? 0) >= mostSessions && first !== undefined) yield* tokens.remove(userId, first.id)
    const present = yield* DateTime.now
    const text = yield* makeTokenText
    const hash = yield* hashOf(text)
    const token = yield* Effect.orDie(
      tokens.insert({
        userId,
        kind: "session",
        applicationId: null,
        grant: null,
        origin: { agent: tellable(agent), address: resource.actor.via.address },
        name: `session ${hash.slice(0, 16)}`,
        scopes: ["all"],
        lastEight: text.slice(-8),
        expiresAt: DateTime.formatIso(DateTime.add(present, { days: sessionLasts })),
        createdAt: DateTime.formatIso(present),
        hash
      })
    )
    return { token, plain: Redacted.make(text) } satisfies MintedToken
  }),
  ({ token }) => ({ details: { session: token.id } })
)

/** Lists the sessions of the caller. */
export const list = Effect.fnUntraced(function* ({ resource }: Proof<"account.session.list">, page: PageRequest) {
  return yield* (yield* AccessTokenStore).ofUser(signedInUser(resource).id, page, "session")
})

/** Ends a session of the caller. */
export const end = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.session.delete">, number: number) {
    const { id: userId } = signedInUser(resource)
    const tokens = yield* AccessTokenStore
    const found = yield* tokens.find(userId, TokenId.make(number))
    if (found?.kind !== "session" || !(yield* tokens.remove(userId, found.id))) return yield* new TokenNotFound()
  }),
  (_, session) => ({ details: { session } })
)

/** Ends all sessions of the caller, the one in use too. */
export const endAll = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.session.delete-all">) {
    return yield* (yield* AccessTokenStore).removeAll(signedInUser(resource).id, ["session"])
  }),
  (ended) => ({ details: { ended } })
)
