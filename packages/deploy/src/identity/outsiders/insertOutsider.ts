import { makeUuid, now } from "@slipway/domain"
import type { Caller } from "@slipway/domain/deploy/entry"
import {
  AccountStore,
  AccountUuid,
  accountNameFrom,
  emailOf,
  GrantStore,
  GrantUuid,
  IdentityUuid,
  rootTeam,
  TeamStore
} from "@slipway/domain/deploy/identity"
import type { Outsider } from "@slipway/domain/sign-in"
import { Effect } from "effect"
import { record } from "../audit/record.ts"
import { findOutsider } from "./findOutsider.ts"

const mostNames = 20

/** Inserts an account under the first free of several names. */
const insertAccount = Effect.fnUntraced(function* ({ email, name }: Outsider) {
  const accounts = yield* AccountStore
  const at = yield* now
  const uuid = yield* makeUuid(AccountUuid)
  const reported = name ?? email?.split("@")[0] ?? ""
  for (let number = 1; ; number++) {
    const inserted = yield* Effect.option(
      accounts.insert({
        uuid,
        // A name with part of the uuid is free.
        name: accountNameFrom(number < mostNames ? reported : `${reported.slice(0, 20)}-${uuid}`, number),
        email: emailOf(email),
        isRoot: false,
        isDisabled: false,
        lastSignInAt: null,
        createdAt: at,
        updatedAt: at
      })
    )
    if (inserted._tag === "Some") return inserted.value
  }
})

/**
 * Inserts an account with an identity at a provider, in the running transaction.
 *
 * Returns undefined if another account got the identity meanwhile; the caller then rolls back.
 */
export const insertOutsider = Effect.fnUntraced(function* (outsider: Outsider) {
  const account = yield* insertAccount(outsider)
  const { issuer, subject } = outsider
  const uuid = yield* makeUuid(IdentityUuid)
  const row = { uuid, accountUuid: account.uuid, issuer, subject, createdAt: yield* now }
  return (yield* (yield* AccountStore).link(row)) ? account : undefined
})

/**
 * Creates an account for an identity at a provider, and makes it an owner of the root team, in the running transaction.
 *
 * Does nothing if an account has the identity: its grants may have been revoked. The audit log names the caller.
 */
export const insertOwner = Effect.fnUntraced(function* (caller: Caller, outsider: Outsider) {
  const teams = yield* TeamStore
  // Of two concurrent calls, the second one finds the account of the first.
  yield* teams.lock(rootTeam)
  if ((yield* findOutsider(outsider)) !== undefined) return
  const account = yield* insertOutsider(outsider)
  if (account === undefined) return yield* Effect.die(new Error("the identity signed in meanwhile"))
  const at = yield* now
  const accountUuid = account.uuid
  yield* teams.addMember({ teamId: rootTeam, accountUuid, createdAt: at })
  const who = `${account.name}, the user ${outsider.subject} of ${outsider.issuer}`
  const joined = { teamId: rootTeam, action: "team.member.add", object: accountUuid, detail: `added ${who}` }
  yield* record(caller, "done", joined)
  const uuid = yield* makeUuid(GrantUuid)
  const role = { placeType: "team", placeUuid: null, role: "owner", roleUuid: null } as const
  const row = { uuid, teamId: rootTeam, accountUuid, groupUuid: null, ...role, createdAt: at, updatedAt: at }
  yield* Effect.orDie((yield* GrantStore).insert(row))
  const detail = `granted owner on team ${rootTeam} to ${who}`
  yield* record(caller, "done", { teamId: rootTeam, action: "grant.create", object: uuid, detail })
})
