import { now, Transaction } from "@slipway/domain"
import { type Account, AccountStore, SignInAttemptStore, SignInRejected } from "@slipway/domain/deploy/identity"
import {
  accountKey,
  addressKey,
  attemptDelay,
  failureExpiry,
  failuresLast,
  hashOf,
  mostCountedFailures,
  OutsideRefused,
  type Outsider,
  OutsideSignIns,
  PasswordHasher,
  passwordLengths,
  SignInSlowed
} from "@slipway/domain/sign-in"
import { DateTime, Effect, Redacted } from "effect"
import type { NetAddress } from "effect/net"
import { findOutsider } from "../outsiders/findOutsider.ts"
import { insertOutsider } from "../outsiders/insertOutsider.ts"

/** The user name and the password of a sign-in, and the IP address of the browser. */
export interface PasswordSignIn {
  readonly name: string
  readonly password: Redacted.Redacted
  readonly address: NetAddress.IpAddress
}

/** Counts a failed attempt for each key: the account name and the IP address. */
const countFailure = Effect.fnUntraced(function* (keys: ReadonlyArray<string>, at: string) {
  const attempts = yield* SignInAttemptStore
  const forgetBefore = DateTime.formatIso(DateTime.subtract(DateTime.makeUnsafe(at), { seconds: failuresLast }))
  // The failures of a name and those of an address expire at different times.
  for (const key of keys) {
    yield* attempts.fail({ keys: [key], lasts: failureExpiry(key), at, forgetBefore, atMost: mostCountedFailures })
  }
})

/**
 * Verifies a password. `hash` yields null for an unknown account, and for an account without a password.
 *
 * Fails if earlier failed attempts delay the next one, or if the password is wrong. An unknown account takes as long as
 * a wrong password. Attempts for one account or IP address run one after another, so that every failure is counted.
 */
export const verifyPassword = Effect.fnUntraced(function* <E, R>(
  { address, name, password }: PasswordSignIn,
  hashOfAccount: Effect.Effect<string | null, E, R>
) {
  const attempts = yield* SignInAttemptStore
  const hasher = yield* PasswordHasher
  const keys = [accountKey(name), addressKey(address)]
  const attempt = Effect.gen(function* () {
    const present = yield* now
    const failures = yield* attempts.failures(keys)
    const seconds = attemptDelay(failures, present)
    if (seconds > 0) return yield* new SignInSlowed({ seconds })
    const tooLong = Redacted.value(password).length > 4 * passwordLengths.longest
    const hash = yield* hashOfAccount
    const right = yield* hasher.verify(tooLong ? Redacted.make("") : password, tooLong ? null : hash)
    if (!right) {
      yield* countFailure(keys, present)
      return yield* new SignInRejected({ because: "credentials" })
    }
    const counted = failures.map(({ key }) => key).filter((key) => key === keys[0])
    if (counted.length > 0) yield* attempts.forgive(counted)
  })
  yield* hasher.inTurn(keys, attempt)
})

/** Records the sign-in of an account; fails if the account is disabled. */
const signedIn = Effect.fnUntraced(function* (account: Account) {
  if (account.isDisabled) return yield* new SignInRejected({ because: "disabled" })
  const at = yield* now
  yield* (yield* AccountStore).noteSignIn(account.uuid, at)
  return { ...account, lastSignInAt: at }
})

/** Signs in with a name and a password. Only a caller with the correct password learns that the account is disabled. */
export const withPassword = Effect.fnUntraced(function* (signIn: PasswordSignIn) {
  const accounts = yield* AccountStore
  let account: Account | undefined
  const hash = Effect.map(accounts.findByName(signIn.name), (found) => {
    account = found?.account
    return found?.passwordHash ?? null
  })
  yield* verifyPassword(signIn, hash)
  return account === undefined ? yield* new SignInRejected({ because: "credentials" }) : yield* signedIn(account)
})

const linking = "link "

/** Starts a sign-in at the external identity provider. Returns the redirect URL and the state for the browser. */
export const begin = (callback: string, next: string) => OutsideSignIns.begin(callback, next)

/** Starts linking an external identity to the account of a session. */
export const beginLink = (callback: string, next: string, account: Account) =>
  OutsideSignIns.begin(callback, next, `${linking}${account.uuid}`)

/** Returns the account of an external identity, or a new account. The email address never selects an account. */
const accountFor = Effect.fnUntraced(function* (outsider: Outsider) {
  const transaction = yield* Transaction
  const found = yield* findOutsider(outsider)
  if (found !== undefined) return found
  const created = transaction.run(
    Effect.gen(function* () {
      const account = yield* insertOutsider(outsider)
      return account ?? (yield* new OutsideRefused({ because: "it signed in meanwhile" }))
    })
  )
  // Of two first sign-ins of one person, the second one finds the account of the first.
  return yield* Effect.catch(created, (refused) =>
    Effect.flatMap(findOutsider(outsider), (account) =>
      account === undefined ? Effect.fail(refused) : Effect.succeed(account)
    )
  )
})

/**
 * The result of a callback from the identity provider: a signed-in account, or an external identity to link to the
 * account that started the link.
 */
export type Finished =
  | { readonly _tag: "SignedIn"; readonly account: Account; readonly next: string }
  | { readonly _tag: "Link"; readonly account: string; readonly outsider: Outsider; readonly next: string }

/**
 * Completes a sign-in from the callback URL of the identity provider and the state in the browser.
 *
 * Each state is accepted only once, before its code is exchanged, so that a callback cannot be replayed.
 */
export const finish = Effect.fnUntraced(function* (address: string, sealedState: string | undefined) {
  const { checks, next, purpose, until } = yield* OutsideSignIns.openState(sealedState)
  const attempts = yield* SignInAttemptStore
  if (!(yield* attempts.useState(yield* hashOf(checks.state), until, yield* now))) {
    return yield* new OutsideRefused({ because: "its answer was used before" })
  }
  const outsider = yield* OutsideSignIns.verifyCallback(address, checks)
  if (purpose.startsWith(linking)) {
    return { _tag: "Link", account: purpose.slice(linking.length), outsider, next } satisfies Finished
  }
  const account = yield* signedIn(yield* accountFor(outsider))
  return { _tag: "SignedIn", account, next } satisfies Finished
})
