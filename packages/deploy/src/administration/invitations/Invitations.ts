import { InvalidInput, makeUuid, millisecondsOf, now, Transaction, timeOf } from "@slipway/domain"
import type { Authorized } from "@slipway/domain/deploy/entry"
import {
  AccountStore,
  type AccountUuid,
  type GrantPlace,
  type Invitation,
  InvitationNotFound,
  InvitationStore,
  InvitationUuid,
  invitationLifetime,
  TeamStore
} from "@slipway/domain/deploy/identity"
import { Effect } from "effect"
import { record } from "../../identity/audit/record.ts"
import { placeNamed, requireOwn, roleNamed } from "../grants/capabilities.ts"
import * as Grants from "../grants/Grants.ts"

/** The fields of a new invitation: its recipient, and the role and the place that it grants. */
export interface InvitationInput {
  readonly accountUuid: AccountUuid
  readonly placeType: GrantPlace
  readonly placeUuid: string | null
  readonly role: string
}

const isOpen = ({ expiresAt }: Invitation, present: string): boolean => expiresAt > present

const onlyOpen = Effect.fnUntraced(function* (rows: ReadonlyArray<Invitation>) {
  const present = yield* now
  return rows.filter((row) => isOpen(row, present))
})

/** Lists the open invitations of a team, oldest first. */
export const list = Effect.fnUntraced(function* ({ resource }: Authorized<"invitation.list">) {
  return yield* onlyOpen(yield* (yield* InvitationStore).ofTeam(resource.team.id))
})

/** Lists the open invitations of the caller's account, oldest first. */
export const own = Effect.fnUntraced(function* ({ resource }: Authorized<"invitation.own">) {
  const { accountUuid } = resource.caller
  return accountUuid === null ? [] : yield* onlyOpen(yield* (yield* InvitationStore).ofAccount(accountUuid))
})

/** Invites an account to a team with a role, for seven days. Fails if the role exceeds the caller's capabilities. */
export const create = Effect.fnUntraced(function* (
  { resource }: Authorized<"invitation.create">,
  { accountUuid, placeType, placeUuid, role: named }: InvitationInput
) {
  const { caller, team } = resource
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const account = yield* (yield* AccountStore).find(accountUuid)
      if (account === undefined) {
        return yield* new InvalidInput({ problems: { account_uuid: ["There is no such account."] } })
      }
      const place = yield* placeNamed(team.id, placeType, placeUuid)
      const { capabilities, name, role, roleUuid } = yield* roleNamed(team.id, named)
      yield* requireOwn(caller, "invitation.create", place, capabilities)
      const at = yield* now
      const uuid = yield* makeUuid(InvitationUuid)
      const expiresAt = timeOf(millisecondsOf(at) + invitationLifetime)
      const row = { uuid, teamId: team.id, accountUuid, placeType, placeUuid, role, roleUuid, expiresAt }
      const invitation = yield* Effect.orDie((yield* InvitationStore).insert({ ...row, createdAt: at, updatedAt: at }))
      const detail = `invited ${account.name} as ${name} on ${placeType} ${placeUuid ?? team.id}`
      yield* record(caller, "done", { teamId: team.id, action: "invitation.create", object: uuid, detail })
      return invitation
    })
  )
})

/**
 * Accepts an invitation (invariant I24): adds the account to the team with the role. Only the invited account can
 * accept it, once, before it expires.
 *
 * Fails with the same error for every other account, for an expired invitation and for a used one.
 */
export const accept = Effect.fnUntraced(function* ({ resource }: Authorized<"invitation.accept">) {
  const { caller } = resource
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const store = yield* InvitationStore
      // Locked, so that of two concurrent requests the second finds it used.
      const invitation = yield* store.lock(resource.invitation.uuid)
      const at = yield* now
      if (invitation === undefined || invitation.accountUuid !== caller.accountUuid || !isOpen(invitation, at)) {
        return yield* new InvitationNotFound()
      }
      const { accountUuid, placeType, placeUuid, role, roleUuid, teamId } = invitation
      yield* Effect.orDie(store.remove(invitation.uuid))
      const teams = yield* TeamStore
      yield* teams.lock(teamId)
      yield* teams.addMember({ teamId, accountUuid, createdAt: at })
      const row = { teamId, accountUuid, groupUuid: null, placeType, placeUuid, role, roleUuid }
      return yield* Grants.insert(caller, row, `accepted the invitation ${invitation.uuid}`)
    })
  )
})

/** Deletes an open invitation. */
export const remove = Effect.fnUntraced(function* ({ resource }: Authorized<"invitation.delete">) {
  const { caller, invitation } = resource
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      if (!(yield* Effect.orDie((yield* InvitationStore).remove(invitation.uuid)))) {
        return yield* new InvitationNotFound()
      }
      const audited = { teamId: invitation.teamId, action: "invitation.delete", object: invitation.uuid }
      yield* record(caller, "done", { ...audited, detail: `withdrew the invitation of ${invitation.accountUuid}` })
    })
  )
})
