import {
  InvalidInput,
  makeUuid,
  now,
  type PageRequest,
  type Problems,
  pageOf,
  streamOf,
  Transaction
} from "@slipway/domain"
import type { Authorized } from "@slipway/domain/deploy/entry"
import {
  type Account,
  AccountNameTaken,
  AccountNotFound,
  AccountStore,
  AccountUuid,
  accountNameProblem,
  IdentityNotFound,
  IdentityTaken,
  IdentityUuid,
  isEmail,
  LastIdentity,
  LastRootAccount,
  NoPassword,
  SessionStore,
  SignInRejected
} from "@slipway/domain/deploy/identity"
import { hashNew, newPasswordProblem, type Outsider } from "@slipway/domain/sign-in"
import { Effect, Redacted, Schema, Stream } from "effect"
import type { NetAddress } from "effect/net"
import { accountOf } from "../callers/accountOf.ts"
import { findOutsider } from "../outsiders/findOutsider.ts"
import { verifyPassword } from "../sessions/SignIns.ts"

/** The fields of a new account. Without a password, it can sign in only through an external identity provider. */
export interface AccountInput {
  readonly name: string
  readonly email: string | null
  readonly isRoot: boolean
  readonly password: Redacted.Redacted | undefined
}

/** The fields of an account that a request changes. */
export interface AccountChange {
  readonly email?: string | null | undefined
  readonly isRoot?: boolean | undefined
  readonly isDisabled?: boolean | undefined
  readonly password?: Redacted.Redacted | undefined
}

/** Lists a page of the accounts of the instance. */
export const list = Effect.fnUntraced(function* (_: Authorized<"account.list">, page: PageRequest) {
  return yield* pageOf(yield* AccountStore, page)
})

/** Streams all accounts of the instance. */
export const stream = (_: Authorized<"account.list">) =>
  Stream.unwrap(Effect.map(AccountStore, ({ list: read }) => streamOf(read)))

const problemsOf = (field: string, problem: string | undefined): Problems =>
  problem === undefined ? {} : { [field]: [problem] }

const emailProblem = (email: string | null | undefined) =>
  email === null || email === undefined || isEmail(email) ? undefined : "Must be an email address."

const refuse = Effect.fnUntraced(function* (problems: Problems) {
  if (Object.keys(problems).length > 0) return yield* new InvalidInput({ problems })
})

/** Hashes a new password. Fails if the password is too weak; the error is reported for the request field `field`. */
const hashed = Effect.fnUntraced(function* (field: string, password: Redacted.Redacted) {
  const text = Redacted.value(password)
  const problem = newPasswordProblem(text)
  const rejected = (message: string) => new InvalidInput({ problems: { [field]: [message] } })
  if (problem !== undefined) return yield* rejected(`M${problem.slice(1)}.`)
  return yield* Effect.catchTag(hashNew(text), "PasswordTooCommon", () =>
    Effect.fail(rejected("Must not be one of the most common passwords."))
  )
})

/** Creates an account; fails if the name is taken or the password is too weak. */
export const create = Effect.fnUntraced(function* (_: Authorized<"account.create">, input: AccountInput) {
  const { email, isRoot, name, password } = input
  yield* refuse({ ...problemsOf("name", accountNameProblem(name)), ...problemsOf("email", emailProblem(email)) })
  const hash = password === undefined ? null : yield* hashed("password", password)
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const at = yield* now
      const uuid = yield* makeUuid(AccountUuid)
      const row = { uuid, name, email, isRoot, isDisabled: false, lastSignInAt: null, createdAt: at, updatedAt: at }
      const account = yield* Effect.mapError(accounts.insert(row), () => new AccountNameTaken({ name }))
      yield* accounts.setPasswordHash(uuid, hash)
      return account
    })
  )
})

/**
 * Updates an account. Disabling it ends its sessions immediately, and its tokens are rejected until it is enabled
 * again. A new password ends its sessions.
 *
 * Fails if no enabled root account would remain.
 */
export const update = Effect.fnUntraced(function* (
  { resource }: Authorized<"account.update">,
  { email, isDisabled, isRoot, password }: AccountChange
) {
  const { uuid } = resource.account
  yield* refuse(problemsOf("email", emailProblem(email)))
  const hash = password === undefined ? undefined : yield* hashed("password", password)
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const roots = yield* accounts.lockRoots
      const present = yield* accounts.lock(uuid)
      if (present === undefined) return yield* new AccountNotFound()
      const changed: Account = {
        ...present,
        email: email === undefined ? present.email : email,
        isRoot: isRoot ?? present.isRoot,
        isDisabled: isDisabled ?? present.isDisabled,
        updatedAt: yield* now
      }
      const isLost = present.isRoot && !present.isDisabled && (!changed.isRoot || changed.isDisabled)
      const others = roots.filter((each) => each.uuid !== uuid && !each.isDisabled)
      if (isLost && others.length === 0) return yield* new LastRootAccount()
      yield* Effect.orDie(accounts.replace(changed))
      if (hash !== undefined) yield* accounts.setPasswordHash(uuid, hash)
      if (hash !== undefined || changed.isDisabled) yield* (yield* SessionStore).endAll(uuid)
      return changed
    })
  )
})

/** Returns the caller's account, with its sign-in methods: whether it has a password, and its external identities. */
export const own = Effect.fnUntraced(function* ({ resource }: Authorized<"account.own">) {
  const account = accountOf(resource)
  const accounts = yield* AccountStore
  const identities = yield* accounts.identities(account.uuid)
  return { account, hasPassword: (yield* accounts.passwordHash(account.uuid)) !== null, identities }
})

/** The current and the new password of the caller's account. */
export interface PasswordChange {
  readonly present: Redacted.Redacted
  readonly next: Redacted.Redacted
  readonly address: NetAddress.IpAddress
}

/** Changes the password of the caller's account, and ends all sessions of the account except the current one. */
export const changePassword = Effect.fnUntraced(function* (
  { resource }: Authorized<"account.password">,
  { address, next, present }: PasswordChange
) {
  const { name, uuid } = accountOf(resource)
  const accounts = yield* AccountStore
  const stored = yield* accounts.passwordHash(uuid)
  if (stored === null) return yield* new NoPassword()
  yield* verifyPassword({ address, name, password: present }, Effect.succeed(stored))
  const hash = yield* hashed("new_password", next)
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const present = yield* accounts.lock(uuid)
      // An administrator may have set another password meanwhile.
      if (present === undefined || (yield* accounts.passwordHash(uuid)) !== stored) {
        return yield* new SignInRejected({ because: "credentials" })
      }
      yield* Effect.orDie(accounts.replace({ ...present, updatedAt: yield* now }))
      yield* accounts.setPasswordHash(uuid, hash)
      yield* (yield* SessionStore).endAll(uuid, resource.caller.session?.uuid)
    })
  )
})

/**
 * Links an external identity to the caller's account. Fails if the link was started by another account; `asked` is the
 * uuid of the account that started it.
 */
export const link = Effect.fnUntraced(function* (
  { resource }: Authorized<"account.identity.link">,
  asked: string,
  { issuer, subject }: Outsider
) {
  const { uuid: accountUuid } = accountOf(resource)
  if (asked !== accountUuid) return yield* new IdentityNotFound()
  const accounts = yield* AccountStore
  const uuid = yield* makeUuid(IdentityUuid)
  const before = yield* findOutsider({ issuer, subject })
  const row = { uuid, accountUuid, issuer, subject, createdAt: yield* now }
  if (before === undefined && (yield* accounts.link(row))) return
  const holder = before ?? (yield* findOutsider({ issuer, subject }))
  if (holder?.uuid !== accountUuid) return yield* new IdentityTaken({ issuer })
})

const isIdentity = Schema.is(IdentityUuid)

/** Removes an external identity from the caller's account. Fails if the account would have no sign-in method left. */
export const unlink = Effect.fnUntraced(function* (
  { resource }: Authorized<"account.identity.unlink">,
  identity: string
) {
  const { uuid } = accountOf(resource)
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      yield* accounts.lock(uuid)
      const identities = yield* accounts.identities(uuid)
      if (!isIdentity(identity) || !identities.some((each) => each.uuid === identity)) {
        return yield* new IdentityNotFound()
      }
      if (identities.length === 1 && (yield* accounts.passwordHash(uuid)) === null) return yield* new LastIdentity()
      yield* accounts.unlink(uuid, identity)
    })
  )
})
