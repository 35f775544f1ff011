import { elapsedMilliseconds, memoize, memoizeBy, millisecondsOf, now, timeOf, Vault } from "@slipway/domain"
import { fullScope, type Scope, type ScopeWord, scopeOf } from "@slipway/domain/forge/access"
import type { CallerKey, FoundCaller } from "@slipway/domain/forge/entry"
import type { Credential, User } from "@slipway/domain/forge/identity"
import {
  type AccessToken,
  type Actor,
  accessTokens,
  accountKey,
  attemptDelay,
  callerFacts,
  type Failures,
  failureExpiry,
  failuresLast,
  hashOf,
  isRecoveryCode,
  mostCountedFailures,
  nobody,
  OneTimeCodes,
  PasswordHasher,
  passwordLengths,
  type RequestCredential,
  recoveryText,
  type SecondFactor,
  SignInSlowed,
  SignInStore,
  secondFactorOwner,
  stepAt,
  taskOf,
  type UsedCode
} from "@slipway/domain/forge/identity"
import { DateTime, Effect, Redacted, Schema } from "effect"
import { type Digest, Mac } from "effect/crypto"
import { recordKeyUse } from "./recordKeyUse.ts"

/** Reports that the credential of a request is invalid: name, password, token or one-time code. */
export class InvalidCredentials extends Schema.TaggedError<InvalidCredentials>()("InvalidCredentials", {
  because: Schema.Literals(["credentials", "one-time code"])
}) {}

const invalid = new InvalidCredentials({ because: "credentials" })
const refusal = Effect.fail(invalid)
const usesAreNotedEvery = 60_000
/** Converts the expiry times of tokens to milliseconds. Cached, because most requests use a few tokens. */
const instantOf = memoize(millisecondsOf, 1_000)
const scopeOfToken = memoizeBy((words: ReadonlyArray<ScopeWord>) => words.join(), scopeOf, 1_000)

/** Returns the key by which the caller of a credential is looked up in the database. */
export const callerKeyOf = (
  credential: Credential,
  failureKeys: ReadonlyArray<string>
): Effect.Effect<CallerKey, never, Digest.Digest> => {
  switch (credential._tag) {
    case "Token":
      return Effect.map(hashOf(Redacted.value(credential.token)), (hash) => ({ _tag: "TokenHash", hash }))
    case "TokenHash":
      return Effect.succeed({ _tag: "TokenHash", hash: credential.hash })
    case "Password":
      return Effect.succeed({ _tag: "SignInName", name: credential.name, failureKeys })
    case "Lent":
      return Effect.succeed({ _tag: "SignInName", name: credential.name, failureKeys: [] })
    case "ProxyUser":
    case "Signer":
      return Effect.succeed({ _tag: "Name", name: credential.name })
    default:
      return unnamed
  }
}

const unnamed = Effect.succeed<CallerKey>({ _tag: "Nobody" })

const actorOf = (
  user: User,
  scope: Scope,
  withPassword: boolean,
  kind: RequestCredential["kind"],
  token?: AccessToken
): Actor => {
  const task = token && taskOf(token)
  return {
    facts: callerFacts(user, scope, { withPassword, sudo: false, job: task !== undefined }),
    userId: user.id,
    user,
    signedInAs: user,
    token,
    task,
    scope,
    via: { kind, address: "" }
  }
}

const withToken = ({ token, user }: FoundCaller) =>
  Effect.clockWith((clock) => {
    const present = clock.currentTimeMillisUnsafe()
    if (token === undefined || (token.expiresAt !== null && instantOf(token.expiresAt) <= present)) return refusal
    if (user.system !== (taskOf(token) !== undefined)) return refusal
    const actor = actorOf(user, scopeOfToken(token.scopes), false, "token", token)
    // Recording each use would turn every read into a write.
    if (token.lastUsedAt !== null && present - instantOf(token.lastUsedAt) < usesAreNotedEvery) {
      return Effect.succeed(actor)
    }
    const noted = Effect.flatMap(accessTokens.store, (tokens) =>
      tokens.patch({ userId: user.id }, token.id, { lastUsedAt: timeOf(present) })
    )
    return Effect.as(Effect.orDie(noted), actor)
  })

const equal = (one: string, other: string): boolean =>
  Mac.timingSafeEqual(new TextEncoder().encode(one), new TextEncoder().encode(other))

/**
 * Returns the time step (period of 30 seconds) for which a one-time code is valid: the current one, or the one before
 * or after it, because clocks differ. Undefined for a wrong code.
 *
 * That the code was not used before is checked later, when the store marks it as used.
 */
export const matchingStep = Effect.fnUntraced(function* (factor: SecondFactor, shown: string) {
  const codes = yield* OneTimeCodes
  const secret = yield* (yield* Vault).open(secondFactorOwner(factor.userId), factor.secret)
  const step = stepAt(DateTime.toEpochMillis(yield* DateTime.now))
  let matching: number | undefined
  for (const near of [step - 1, step, step + 1]) {
    if (equal(yield* codes.code(secret, near), shown)) matching = near
  }
  return matching
})

/**
 * Returns the one-time code that a sign-in uses: `None` if the user has no second factor, undefined if the code is
 * wrong.
 */
const usedCode = Effect.fnUntraced(function* (factor: SecondFactor | undefined, shown: Redacted.Redacted | undefined) {
  if (factor === undefined) return { _tag: "None" } satisfies UsedCode
  const text = shown === undefined ? "" : Redacted.value(shown).trim()
  if (isRecoveryCode(text)) return { _tag: "Recovery", hash: yield* hashOf(recoveryText(text)) } satisfies UsedCode
  const step = yield* matchingStep(factor, text)
  return step === undefined ? undefined : ({ _tag: "Step", step } satisfies UsedCode)
})

const withPassword = Effect.fnUntraced(function* (
  found: FoundCaller | undefined,
  byName: ReadonlyArray<Failures>,
  [namedKey = "", ...addressKeys]: ReadonlyArray<string>,
  credential: Extract<Credential, { _tag: "Password" }>
) {
  const signIns = yield* SignInStore
  // A name and the addresses of one account share a counter; an unknown address costs as much as a known one.
  const ownKey = found === undefined ? namedKey : accountKey(found.user.name)
  const keys = [ownKey, ...addressKeys]
  const failures = credential.name.includes("@") ? yield* signIns.failures(keys) : byName
  const present = yield* now
  const seconds = attemptDelay(failures, present)
  if (seconds > 0) return yield* new SignInSlowed({ seconds })
  const fail = Effect.fnUntraced(function* (because: InvalidCredentials["because"]) {
    const forgetBefore = DateTime.formatIso(DateTime.subtract(DateTime.makeUnsafe(present), { seconds: failuresLast }))
    for (const key of keys) {
      yield* signIns.fail({
        keys: [key],
        lasts: failureExpiry(key),
        at: present,
        forgetBefore,
        atMost: mostCountedFailures
      })
    }
    return yield* new InvalidCredentials({ because })
  })
  const tooLong = Redacted.value(credential.password).length > 4 * passwordLengths.longest
  // An unknown name takes as long as a wrong password.
  const hash = tooLong ? null : (found?.passwordHash ?? null)
  const right = yield* (yield* PasswordHasher).verify(tooLong ? Redacted.make("") : credential.password, hash)
  if (found === undefined || !right) return yield* fail("credentials")
  const code = yield* usedCode(found.secondFactor, credential.oneTimeCode)
  if (code === undefined) return yield* fail("one-time code")
  const { lastSignInAt } = found.user
  const forgive = failures.map((each) => each.key).filter((key) => key === ownKey)
  const isNews = lastSignInAt === null || elapsedMilliseconds(lastSignInAt, present) >= usesAreNotedEvery
  if (isNews || code._tag !== "None" || forgive.length > 0) {
    const signedIn = yield* signIns.succeed({ userId: found.user.id, at: present, code, forgive })
    if (!signedIn) return yield* fail("one-time code")
  }
  return actorOf(found.user, fullScope, true, "password")
})

const withKey = (found: FoundCaller | undefined, { key, userId }: Extract<Credential, { _tag: "Signer" }>) => {
  // The name may belong to another user since.
  if (found?.user.id !== userId) return refusal
  const actor = { ...actorOf(found.user, fullScope, false, "key"), key }
  return key === undefined ? Effect.succeed(actor) : Effect.as(recordKeyUse(key), actor)
}

/**
 * Returns a hash that identifies the current password of an account without revealing it. It changes with the password.
 */
export const passwordMark = (hash: string | null) => hashOf(`password mark ${hash ?? ""}`)

const withLoan = Effect.fnUntraced(function* (
  found: FoundCaller | undefined,
  { mark, userId }: Extract<Credential, { _tag: "Lent" }>
) {
  // The name may belong to another user since; and a password change ends its sessions.
  if (found?.user.id !== userId) return yield* invalid
  if (mark !== null && mark !== (yield* passwordMark(found.passwordHash))) return yield* invalid
  return actorOf(found.user, fullScope, false, mark === null ? "proxy" : "password")
})

const noOne = Effect.succeed(nobody)

/**
 * Authenticates the actor by a credential and the data that was loaded for it.
 *
 * An invalid credential is an error; it never results in an anonymous actor. The state of the account is not changed
 * (invariant I16), and whether the account may be used is decided later.
 */
export const authenticate = (
  credential: Credential,
  found: FoundCaller | undefined,
  failures: ReadonlyArray<Failures>,
  failureKeys: ReadonlyArray<string>
): Effect.Effect<Actor, InvalidCredentials | SignInSlowed, Authenticating> => {
  // Only jobs act as the service account, by their tokens.
  const signing = found?.user.system === true ? undefined : found
  switch (credential._tag) {
    case "Nothing":
      return noOne
    case "Unreadable":
    case "Signature":
      return refusal
    case "Signer":
      return withKey(signing, credential)
    case "Lent":
      return withLoan(signing, credential)
    case "Token":
    case "TokenHash":
      return found === undefined ? refusal : withToken(found)
    case "ProxyUser":
      return signing === undefined ? refusal : Effect.succeed(actorOf(signing.user, fullScope, true, "proxy"))
    case "Password":
      return withPassword(signing, failures, failureKeys, credential)
  }
}

/** The services that authentication with any type of credential needs. */
type Authenticating = Effect.Services<
  | ReturnType<typeof withKey>
  | ReturnType<typeof withLoan>
  | ReturnType<typeof withToken>
  | ReturnType<typeof withPassword>
>
