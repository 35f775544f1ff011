import { InUse } from "@slipway/domain"
import {
  AuditStore,
  GrantStore,
  GroupStore,
  InvitationStore,
  RoleStore,
  rootTeam,
  type Team,
  TeamId,
  TeamStore
} from "@slipway/domain/deploy/identity"
import { Effect, Layer, Result } from "effect"
import { collection } from "../../collection.ts"
import type { Snapshot } from "../../Database.ts"
import { memberKey } from "../base/keys.ts"
import { Tables } from "../base/tables.ts"
import { accessIn } from "./access.ts"

const all = { limit: Number.POSITIVE_INFINITY }

const theRootTeam: Team = {
  id: rootTeam,
  name: "Slipway",
  description: "All users with a token of this instance.",
  tokenDays: null,
  createdAt: "1970-01-01T00:00:00.000Z",
  updatedAt: "1970-01-01T00:00:00.000Z"
}

/** Stores custom roles in memory. */
export const roleStore = Layer.effect(
  RoleStore,
  Effect.map(Tables, ({ database, role }) => ({
    ...collection(database, role),
    ofTeam: (team) => database.read((snapshot) => role.list(snapshot, all).filter(({ teamId }) => teamId === team))
  }))
)

/** Stores grants (permissions of accounts and groups on resources) in memory. */
export const grantStore = Layer.effect(
  GrantStore,
  Effect.map(Tables, (tables) => {
    const { database, roleGrant } = tables
    return {
      ...collection(database, roleGrant),
      ofTeam: (team) =>
        database.read((snapshot) => roleGrant.list(snapshot, all).filter(({ teamId }) => teamId === team)),
      accessOf: (uuid) => database.read((snapshot) => accessIn(tables, snapshot, uuid))
    }
  })
)

/** Stores groups of accounts in memory. */
export const groupStore = Layer.effect(
  GroupStore,
  Effect.map(Tables, ({ accountGroup, database, groupMember, member }) => ({
    ...collection(database, accountGroup),
    ofTeam: (team) =>
      database.read((snapshot) =>
        accountGroup
          .list(snapshot, all)
          .filter(({ teamId }) => teamId === team)
          .map((group) => ({
            ...group,
            members: groupMember
              .list(snapshot, all)
              .filter(({ groupUuid }) => groupUuid === group.uuid)
              .map(({ accountUuid }) => accountUuid)
          }))
      ),
    addMember: (row) =>
      database
        .write((snapshot) =>
          Result.succeed(
            member.find(snapshot, memberKey(row.teamId, row.accountUuid)) !== undefined &&
              Result.isSuccess(groupMember.insert(snapshot, row))
          )
        )
        .pipe(Effect.orDie),
    removeMember: ({ accountUuid, groupUuid }) =>
      database
        .write((snapshot) => {
          const rows = groupMember.list(snapshot, all)
          const present = rows.find((row) => row.groupUuid === groupUuid && row.accountUuid === accountUuid)
          return present === undefined ? Result.succeed(false) : groupMember.remove(snapshot, present.id)
        })
        .pipe(Effect.orDie)
  }))
)

/** Stores invitations in memory. */
export const invitationStore = Layer.effect(
  InvitationStore,
  Effect.map(Tables, ({ database, invitation }) => ({
    ...collection(database, invitation),
    ofTeam: (team) =>
      database.read((snapshot) => invitation.list(snapshot, all).filter(({ teamId }) => teamId === team)),
    ofAccount: (account) =>
      database.read((snapshot) => invitation.list(snapshot, all).filter(({ accountUuid }) => accountUuid === account))
  }))
)

/** Stores teams and their members in memory. */
export const teamStore = Layer.effect(
  TeamStore,
  Effect.map(Tables, (tables) => {
    const { account, database, member, team } = tables
    const root = (snapshot: Snapshot) => team.get(snapshot, rootRow)?.team ?? theRootTeam
    const find = (snapshot: Snapshot, id: TeamId): Team | undefined =>
      id === rootTeam ? root(snapshot) : team.get(snapshot, id + 1)?.team
    const list = (snapshot: Snapshot) => [
      root(snapshot),
      ...team.list(snapshot, { ...all, after: rootRow }).map((row) => row.team)
    ]
    const {
      accountGroup,
      certificateAuthority,
      channel,
      forgeApp,
      gitlabApp,
      invitation,
      notification,
      privateKey,
      project,
      registry,
      role,
      roleGrant,
      s3Storage,
      server,
      tag,
      token
    } = tables
    const owned = { project, server, privateKey, forgeApp, gitlabApp, registry, s3Storage, tag, token }
    return {
      insert: (row) =>
        database
          .write((snapshot) => {
            // The first row is that of the root team, which has the number 0.
            if (team.get(snapshot, rootRow) === undefined) team.insert(snapshot, { team: theRootTeam })
            const inserted = Result.getOrThrow(team.insert(snapshot, { team: { ...row, id: rootTeam } }))
            const insertedTeam: Team = { ...row, id: TeamId.make(inserted.id - 1) }
            return Result.map(team.replace(snapshot, { ...inserted, team: insertedTeam }), () => insertedTeam)
          })
          .pipe(Effect.orDie),
      find: (id) => database.read((snapshot) => find(snapshot, id)),
      // Transactions run one after the other, so this needs no lock.
      lock: (id) => database.read((snapshot) => find(snapshot, id)),
      list: database.read(list),
      ofAccount: (uuid) =>
        database.read((snapshot) =>
          list(snapshot).filter(({ id }) => member.find(snapshot, memberKey(id, uuid)) !== undefined)
        ),
      replace: (row) =>
        database
          .write((snapshot) => {
            if (row.id === rootTeam && team.get(snapshot, rootRow) === undefined) {
              return Result.map(team.insert(snapshot, { team: row }), () => true)
            }
            return team.replace(snapshot, { id: row.id + 1, team: row })
          })
          .pipe(Effect.orDie),
      remove: (id) =>
        database.write((snapshot) => {
          if (id === rootTeam || find(snapshot, id) === undefined) return Result.succeed(false)
          const mine = <R extends { readonly teamId: TeamId }>(rows: ReadonlyArray<R>) =>
            rows.filter(({ teamId }) => teamId === id)
          for (const [by, table] of Object.entries(owned)) {
            if (mine<{ readonly teamId: TeamId }>(table.list(snapshot, all)).length > 0) {
              return Result.fail(new InUse({ by }))
            }
          }
          for (const row of mine(roleGrant.list(snapshot, all))) roleGrant.remove(snapshot, row.id)
          for (const row of mine(invitation.list(snapshot, all))) invitation.remove(snapshot, row.id)
          for (const row of mine(accountGroup.list(snapshot, all))) accountGroup.remove(snapshot, row.id)
          for (const row of mine(role.list(snapshot, all))) role.remove(snapshot, row.id)
          for (const row of mine(certificateAuthority.list(snapshot, all)))
            certificateAuthority.remove(snapshot, row.id)
          for (const row of mine(channel.list(snapshot, all))) channel.remove(snapshot, row.id)
          for (const row of mine(notification.list(snapshot, all))) notification.remove(snapshot, row.id)
          for (const row of mine(member.list(snapshot, all))) member.remove(snapshot, row.id)
          return team.remove(snapshot, id + 1)
        }),
      members: (id) =>
        database.read((snapshot) =>
          member
            .list(snapshot, all)
            .filter(({ teamId }) => teamId === id)
            .flatMap(({ accountUuid }) => account.find(snapshot, accountUuid) ?? [])
        ),
      addMember: (row) =>
        database.write((snapshot) => Result.succeed(Result.isSuccess(member.insert(snapshot, row)))).pipe(Effect.orDie),
      removeMember: (id, uuid) =>
        database
          .write((snapshot) => {
            const present = member.find(snapshot, memberKey(id, uuid))
            if (present === undefined) return Result.succeed(false)
            for (const table of [roleGrant, token]) {
              for (const row of table.list(snapshot, all)) {
                if (row.teamId === id && row.accountUuid === uuid) table.remove(snapshot, row.id)
              }
            }
            return member.remove(snapshot, present.id)
          })
          .pipe(Effect.orDie)
    }
  })
)

const rootRow = 1

/** Stores the audit log in memory. */
export const auditStore = Layer.effect(
  AuditStore,
  Effect.map(Tables, ({ audit, database }) => ({
    append: (record, maxRecords) =>
      database
        .write((snapshot) => {
          const inserted = audit.insert(snapshot, record)
          const mine = audit.list(snapshot, all).filter(({ teamId }) => teamId === record.teamId)
          for (const old of mine.slice(0, Math.max(0, mine.length - maxRecords))) audit.remove(snapshot, old.id)
          return Result.map(inserted, () => undefined)
        })
        .pipe(Effect.orDie, Effect.asVoid),
    list: ({ before = Number.POSITIVE_INFINITY, limit, outcome, teamId }) =>
      database.read((snapshot) =>
        audit
          .list(snapshot, all)
          .filter(
            (row) => row.teamId === teamId && row.id < before && (outcome === undefined || row.outcome === outcome)
          )
          .toReversed()
          .slice(0, limit)
      )
  }))
)
