import { now } from "@slipway/domain"
import type { Proof } from "@slipway/domain/forge/entry"
import {
  accessTokens,
  hashNew,
  signedInUser,
  type TokenKind,
  type UserId,
  UserNotFound,
  UserStore
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import * as ProtocolRecords from "../oauth2/ProtocolRecords.ts"

/** A new password, and which credentials to revoke when it is set. */
export interface PasswordChange {
  readonly password: string
  /** Whether to revoke tokens, including those of OAuth2 clients. */
  readonly endTokens: boolean
  readonly endSessions: boolean
}

/** Revokes the credentials of a user: tokens, OAuth2 consents and sessions. */
export const endCredentials = Effect.fnUntraced(function* (
  user: UserId,
  { endSessions, endTokens }: Pick<PasswordChange, "endSessions" | "endTokens">
) {
  const kinds: ReadonlyArray<TokenKind> = [
    ...(endTokens ? (["personal", "oauth2"] as const) : []),
    ...(endSessions ? (["session"] as const) : [])
  ]
  // Consents first, so that no client gets a new token meanwhile.
  if (endTokens) yield* ProtocolRecords.removeOf(user)
  if (kinds.length > 0) yield* (yield* accessTokens.store).removeWhere({ userId: user }, { kind: { in: kinds } })
})

/** Changes the caller's password; the caller signed in with it for this request. */
export const changePassword = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.password.set">, change: PasswordChange) {
    const { id, name } = signedInUser(resource)
    const hash = yield* hashNew(change.password)
    const users = yield* UserStore
    const present = yield* users.lock(id)
    if (present === undefined) return yield* new UserNotFound({ name })
    yield* users.setPassword(id, hash)
    yield* users.replace({ ...present, mustChangePassword: false, updatedAt: yield* now })
    yield* endCredentials(id, change)
  }),
  (_, { endSessions, endTokens }) => ({ details: { endSessions, endTokens } })
)
