import type { PageRequest } from "@slipway/domain"
import type { Proof } from "@slipway/domain/forge/entry"
import {
  accessTokens,
  hashOf,
  type MintedToken,
  makeTokenText,
  noJob,
  signedInUser,
  TokenNotFound
} from "@slipway/domain/forge/identity"
import { DateTime, Effect, Redacted } from "effect"
import { audited } from "../../base/events/record.ts"

/** The lifetime of a session, in days. */
export const sessionLasts = 14

/** The maximum number of sessions per user; a new session replaces the oldest. */
export const mostSessions = 100

const longestAgent = 200
const ofSessions = { kind: "session" } as const

const tellable = (text: string): string => [...text.replace(/\p{Cc}/gu, " ")].slice(0, longestAgent).join("")

/**
 * Creates the session of a browser sign-in and returns its token; `agent` is the browser's `User-Agent` header.
 *
 * A session is a token with the user's full scope. It can neither create tokens nor replace the password.
 */
export const begin = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.session.create">, agent: string) {
    const { id: userId } = signedInUser(resource)
    const tokens = yield* accessTokens.store
    const { rows, total } = yield* tokens.list({ userId }, { page: 1, perPage: 1 }, { filter: ofSessions })
    const [first] = rows
    if ((total ?? mostSessions) >= mostSessions && first !== undefined) yield* tokens.remove({ userId }, first.id)
    const present = yield* DateTime.now
    const text = yield* makeTokenText
    const hash = yield* hashOf(text)
    const token = yield* Effect.orDie(
      tokens.insert({
        userId,
        kind: "session",
        applicationId: null,
        grant: null,
        ...noJob,
        origin: { agent: tellable(agent), address: resource.actor.via.address },
        name: `session ${hash.slice(0, 16)}`,
        scopes: ["all"],
        lastEight: text.slice(-8),
        expiresAt: DateTime.formatIso(DateTime.add(present, { days: sessionLasts })),
        lastUsedAt: null,
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
  const userId = signedInUser(resource).id
  return yield* (yield* accessTokens.store).list({ userId }, page, { filter: ofSessions })
})

/** Ends a session of the caller. */
export const end = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.session.delete">, number: number) {
    const { id: userId } = signedInUser(resource)
    const tokens = yield* accessTokens.store
    const found = yield* tokens.find({ userId }, number)
    if (found?.kind !== "session") return yield* new TokenNotFound()
    if ((yield* tokens.remove({ userId }, found.id)) === undefined) return yield* new TokenNotFound()
  }),
  (_, session) => ({ details: { session } })
)

/** Ends all sessions of the caller, including the current one. */
export const endAll = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.session.delete-all">) {
    return yield* (yield* accessTokens.store).removeWhere({ userId: signedInUser(resource).id }, ofSessions)
  }),
  (ended) => ({ details: { ended } })
)
