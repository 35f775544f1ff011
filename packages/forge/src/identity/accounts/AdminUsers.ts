import type { PageRequest } from "@slipway/domain"
import { now, Transaction, timeOf } from "@slipway/domain"
import { fullScope, isWithin } from "@slipway/domain/forge/access"
import type { OwnerName } from "@slipway/domain/forge/base"
import type { Proof } from "@slipway/domain/forge/entry"
import type { Actor } from "@slipway/domain/forge/identity"
import {
  BeyondScope,
  type EmailAddress,
  hashNew,
  LastAdministrator,
  NameTaken,
  NotYourself,
  replacePrimary,
  type Settings,
  type Standing,
  type User,
  type UserFilter,
  UserNotFound,
  UserStore
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { record } from "../../base/events/record.ts"
import { endCredentials } from "../credentials/ownPassword.ts"
import { insertAccount } from "./insertAccount.ts"
import { findUser } from "./namedUser.ts"
import { searchByNameOrAddress } from "./Users.ts"

/** Lists all users by name; optionally only those who match a text, an authentication source or a login name. */
export const list = Effect.fnUntraced(function* (
  { resource: { actor } }: Proof<"admin.user.list">,
  filter: Pick<UserFilter, "admin" | "loginName" | "sourceId" | "text">,
  page: PageRequest
) {
  return yield* searchByNameOrAddress(actor, filter, page)
})

/** The fields of a new user, set by an administrator. */
export interface NewAccount extends Partial<Settings & Standing> {
  readonly name: OwnerName
  readonly email: EmailAddress
  /** The password; if omitted, the user cannot sign in with a password. */
  readonly password?: string | undefined
  readonly createdAt?: string | undefined
}

/**
 * Fails if a token with limited scope would set a password or make a user administrator, because both give full access
 * (invariant I5).
 */
const refuseBeyond = ({ scope }: Actor, handsOut: boolean) =>
  handsOut && !isWithin(fullScope, scope) ? Effect.fail(new BeyondScope()) : Effect.void

/** Creates a user. By default, the user must change the password at the first sign-in. */
export const create = Effect.fnUntraced(function* (proof: Proof<"admin.user.create">, input: NewAccount) {
  const { createdAt, email, name, password, ...set } = input
  yield* refuseBeyond(proof.resource.actor, set.admin === true)
  const passwordHash = password === undefined ? null : yield* hashNew(password)
  const insertion = insertAccount({
    ...set,
    name,
    email,
    passwordHash,
    emailVerified: true,
    createdAt: createdAt === undefined ? undefined : timeOf(createdAt)
  })
  return yield* (yield* Transaction).run(
    Effect.tap(insertion, (user) => record(proof, { user, details: { admin: user.admin } }))
  )
})

/** The fields of a user that an administrator can change; omitted fields stay unchanged. */
export interface AccountChange extends Partial<Settings & Standing> {
  readonly email?: EmailAddress | undefined
  readonly password?: string | undefined
  /** Whether to revoke the user's tokens; advisable if the password may be known to others. */
  readonly endTokens?: boolean | undefined
}

const isAble = (user: User): boolean => user.admin && user.active && !user.prohibited

/** Fails if after a change no administrator could sign in to the site. */
export const refuseLast = Effect.fnUntraced(function* (before: User, after: User | undefined) {
  if (!isAble(before) || (after !== undefined && isAble(after))) return
  const administrators = yield* (yield* UserStore).lockAdministrators
  if (!administrators.some((id) => id !== before.id)) return yield* new LastAdministrator()
})

/** Fails if administrators would delete their own account, or make it unable to sign in. */
export const refuseSelf = Effect.fnUntraced(function* (actor: Actor, before: User, after: User | undefined) {
  if (actor.userId !== before.id) return
  if (after === undefined || after.prohibited || !after.active) return yield* new NotYourself()
})

/** Changes the given fields of a user. */
export const edit = Effect.fnUntraced(function* (proof: Proof<"admin.user.edit">, name: string, change: AccountChange) {
  const { email, endTokens = false, password, ...set } = change
  const { actor } = proof.resource
  const { admin, id } = yield* findUser(name)
  yield* refuseBeyond(actor, password !== undefined || (set.admin === true && !admin))
  const passwordHash = password === undefined ? undefined : yield* hashNew(password)
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const users = yield* UserStore
      const before = yield* users.lock(id)
      if (before === undefined) return yield* new UserNotFound({ name })
      const awaitsApproval = before.awaitsApproval && set.active !== true
      const after: User = { ...before, ...set, awaitsApproval, updatedAt: yield* now }
      yield* refuseSelf(actor, before, after)
      yield* refuseLast(before, after)
      yield* users.replace(after)
      if (passwordHash !== undefined) yield* users.setPassword(id, passwordHash)
      if (endTokens) yield* endCredentials(id, { endTokens, endSessions: true })
      if (email !== undefined) yield* replacePrimary(id, email)
      yield* record(proof, { user: after, details: { fields: Object.keys(change).sort().join() } })
      const seen = yield* users.search(actor, { id }, { page: 1, perPage: 1 })
      return seen.rows[0] ?? (yield* new UserNotFound({ name }))
    })
  )
})

/** Renames a user. The old name redirects to the new one until another account takes it. */
export const rename = Effect.fnUntraced(function* (
  proof: Proof<"admin.user.rename">,
  name: string,
  newName: OwnerName
) {
  const user = yield* findUser(name)
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const renamed = yield* (yield* UserStore)
        .rename(user.id, newName)
        .pipe(Effect.mapError(() => new NameTaken({ name: newName })))
      if (!renamed) return yield* new UserNotFound({ name })
      yield* record(proof, { user, details: { to: newName } })
    })
  )
})

/** Sets the password of a user. If requested, also revokes the user's tokens. */
export const changePassword = Effect.fnUntraced(function* (
  proof: Proof<"admin.user.edit">,
  name: string,
  change: Required<Pick<AccountChange, "password" | "mustChangePassword" | "endTokens">>
) {
  return yield* edit(proof, name, change)
})
