import { nameKey } from "@slipway/domain"
import type { AccessToken, Block, Email, Failures, SecondFactor, User, UserId } from "@slipway/domain/forge"
import { Context, Layer } from "effect"
import { Database } from "../Database.ts"
import { Table } from "../Table.ts"

/** A user without what stands in other tables. */
export interface UserRow extends Omit<User, "email" | "secondFactor"> {
  readonly passwordHash: string | null
}

/** A name in the register that users and organizations share; one that isn't current leads to who had it. */
export interface NameRow {
  readonly id: number
  readonly key: string
  readonly userId: UserId
  readonly current: boolean
}

/** An address without the name of its user. */
export type EmailRow = Omit<Email, "userName">

/** That a user follows another. */
export interface FollowRow {
  readonly id: number
  readonly follower: UserId
  readonly followed: UserId
}

interface BlockRow extends Block {
  readonly id: number
}

/** A token with the hash of its secret. */
export interface TokenRow extends AccessToken {
  readonly hash: string
}

interface FactorRow extends SecondFactor {
  readonly id: number
}

interface RecoveryRow {
  readonly id: number
  readonly userId: UserId
  readonly hash: string
}

interface FailureRow extends Failures {
  readonly id: number
}

// A list as a text, whose parts can't run into each other.
const joined = (...parts: ReadonlyArray<string | number>): string => JSON.stringify(parts)

/** Returns the key of two users, or of a user and a text. */
export const pairKey = joined

const makeTables = () => {
  const user = new Table<UserRow>("user", [{ of: "user.id", key: (row) => String(row.id) }])
  const name = new Table<NameRow>("name", [{ of: "owner.name", key: (row) => row.key }])
  const email = new Table<EmailRow>("email", [{ of: "email.address", key: (row) => nameKey(row.address) }])
  const follow = new Table<FollowRow>("follow", [{ of: "follow", key: (row) => joined(row.follower, row.followed) }])
  const block = new Table<BlockRow>("block", [{ of: "block", key: (row) => joined(row.blocker, row.blocked) }])
  const token = new Table<TokenRow>("token", [
    { of: "accessToken.hash", key: (row) => row.hash },
    { of: "accessToken.name", key: (row) => joined(row.userId, nameKey(row.name)) }
  ])
  const factor = new Table<FactorRow>("factor", [{ of: "factor", key: (row) => String(row.userId) }])
  const recovery = new Table<RecoveryRow>("recovery", [{ of: "recovery", key: (row) => joined(row.userId, row.hash) }])
  const failure = new Table<FailureRow>("failure", [{ of: "failure", key: (row) => row.key }])

  for (const each of [name, email, token, factor, recovery]) {
    each.refer((row: { readonly userId: UserId }) => String(row.userId), user, "removes")
  }
  follow.refer((row) => String(row.follower), user, "removes")
  follow.refer((row) => String(row.followed), user, "removes")
  block.refer((row) => String(row.blocker), user, "removes")
  block.refer((row) => String(row.blocked), user, "removes")

  const ofUser = (row: { readonly userId: UserId }) => String(row.userId)
  return {
    user,
    name,
    email,
    follow,
    block,
    token,
    factor,
    recovery,
    failure,
    emailsOfUser: email.index({ key: ofUser }),
    namesOfUser: name.index({ key: ofUser }),
    tokensOfUser: token.index({ key: ofUser }),
    recoveriesOfUser: recovery.index({ key: ofUser }),
    followers: follow.index({ key: (row) => String(row.followed) }),
    following: follow.index({ key: (row) => String(row.follower) }),
    blocksOf: block.index({ key: (row) => String(row.blocker) })
  }
}

/** The tables of the code hosting service and the database that holds their rows. */
export class Tables extends Context.Service<Tables, ReturnType<typeof makeTables> & { readonly database: Database }>()(
  "@slipway/memory/forge/Tables"
) {
  static readonly layer = Layer.sync(Tables, () => ({ ...makeTables(), database: new Database() }))
}
