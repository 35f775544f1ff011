import { nameKey } from "@slipway/domain"
import { MemberStore, type OrganizationId, OrganizationStore, type UserId } from "@slipway/domain/forge/identity"
import { Effect, Layer, Result } from "effect"
import type { Snapshot } from "../../Database.ts"
import { changeName, takeName } from "../base/names.ts"
import { byNamePlace, cut } from "../base/pages.ts"
import { inOrderOf, queriesIn } from "../base/queries.ts"
import { pairKey, Tables } from "../base/tables.ts"
import { peopleIn } from "./people.ts"

const everything = { limit: Number.POSITIVE_INFINITY }

/** Stores organizations in memory. */
export const organizationStore = Layer.effect(
  OrganizationStore,
  Effect.map(Tables, (tables) => {
    const { database, organization } = tables
    const find = (id: OrganizationId) => database.read((snapshot) => organization.get(snapshot, id))
    const byName = inOrderOf
    return {
      insert: (row) =>
        database.write((snapshot) =>
          Result.gen(function* () {
            const { id } = yield* tables.owner.insert(snapshot, {})
            const stored = yield* organization.insertNumbered(snapshot, {
              ...row,
              id: id as OrganizationId,
              avatar: null
            })
            yield* takeName(tables, snapshot, row.name, stored.id)
            return stored
          })
        ),
      find,
      findMany: (ids) =>
        database.read(
          (snapshot) => new Map(ids.flatMap((id) => organization.get(snapshot, id) ?? []).map((row) => [row.id, row]))
        ),
      named: (name) =>
        database.read((snapshot) => {
          const found = queriesIn(tables, snapshot).organizationNamed(name, undefined)
          return found && { organization: found.organization, renamed: found.renamed }
        }),
      // Transactions run one after the other, so this needs no lock.
      lock: find,
      replace: ({ avatar: _, createdAt: __, id, name: ___, ...set }) =>
        database
          .write((snapshot) => {
            const row = organization.get(snapshot, id)
            return row === undefined ? Result.succeed(false) : organization.replace(snapshot, { ...row, ...set })
          })
          .pipe(Effect.orDie),
      setAvatar: (id, avatar) =>
        database
          .write((snapshot) => {
            const row = organization.get(snapshot, id)
            return row === undefined
              ? Result.succeed(undefined)
              : Result.map(organization.replace(snapshot, { ...row, avatar }), () => row.avatar)
          })
          .pipe(Effect.orDie),
      rename: (id, name) =>
        database.write((snapshot) => {
          const row = organization.get(snapshot, id)
          if (row === undefined) return Result.succeed(false)
          return Result.gen(function* () {
            yield* changeName(tables, snapshot, name, id)
            return yield* organization.replace(snapshot, { ...row, name })
          })
        }),
      remove: (id) =>
        database
          .write((snapshot) =>
            organization.get(snapshot, id) === undefined ? Result.succeed(false) : tables.owner.remove(snapshot, id)
          )
          .pipe(Effect.orDie),
      directory: (viewer, page, text = "") =>
        database.read((snapshot) => {
          const canSee = queriesIn(tables, snapshot).canSeeOrganization(viewer, "organizationDirectory")
          const key = nameKey(text)
          const rows = organization.list(snapshot, everything).filter(canSee)
          return cut(
            byName(
              rows.filter(({ name }) => key.isWellFormed() && nameKey(name).includes(key)),
              (row) => row.name
            ),
            page,
            byNamePlace
          )
        }),
      ofUser: (viewer, user, { concealedToo }, page) =>
        database.read((snapshot) => {
          const { membershipIn, canSeeOrganization } = queriesIn(tables, snapshot)
          const canSee = canSeeOrganization(viewer, "organization")
          const shown = organization
            .list(snapshot, everything)
            .filter(
              (each) =>
                membershipIn(each.id, user).member &&
                canSee(each) &&
                (concealedToo ||
                  (!viewer.facts.publicOnly && membershipIn(each.id, viewer.userId).member) ||
                  tables.publicMembership.has(snapshot, pairKey(each.id, user)))
            )
          return cut(
            byName(shown, (row) => row.name),
            page,
            byNamePlace
          )
        }),
      lockOwnedAlone: (user) =>
        database.read((snapshot) => {
          const { memberIds, teamsIn } = queriesIn(tables, snapshot)
          const alone = organization.list(snapshot, everything).filter((each) => {
            const owners = teamsIn(each.id, user).find((team) => team.owners)
            return owners !== undefined && memberIds(owners.id).length === 1
          })
          return byName(alone, (row) => row.name)
        })
    }
  })
)

/** Removes the public membership of users who are no longer in any team of the organization. */
export const concealFormer = (
  tables: Tables["Service"],
  snapshot: Snapshot,
  organization: OrganizationId,
  users: ReadonlyArray<UserId>
) => {
  const { teamsIn } = queriesIn(tables, snapshot)
  for (const user of users) {
    const row = tables.publicMembership.find(snapshot, pairKey(organization, user))
    if (row !== undefined && teamsIn(organization, user).length === 0) tables.publicMembership.remove(snapshot, row.id)
  }
}

/** Reads the members of organizations from memory. */
export const memberStore = Layer.effect(
  MemberStore,
  Effect.map(Tables, (tables) => {
    const { database, publicMembership, teamMember } = tables
    return {
      find: (organization, user) =>
        database.read((snapshot) => {
          const teams = queriesIn(tables, snapshot).teamsIn(organization, user)
          return teams.length === 0
            ? undefined
            : { teams, public: publicMembership.has(snapshot, pairKey(organization, user)) }
        }),
      list: (viewer, organization, { hiddenToo, publicOnes }, page) =>
        database.read((snapshot) => {
          const { byName, rowsOf, seenBy } = peopleIn(tables, snapshot)
          const { memberIds } = queriesIn(tables, snapshot)
          const teams = tables.teamsOf.list(snapshot, String(organization))
          const ids = [...new Set(teams.flatMap((team) => memberIds(team.id)))].filter(
            (id) => !publicOnes || publicMembership.has(snapshot, pairKey(organization, id))
          )
          return seenBy(viewer)(byName(rowsOf(ids)), page, { hiddenToo })
        }),
      setPublic: (organizationId, userId, isPublic) =>
        database
          .write((snapshot) =>
            Result.gen(function* () {
              if (queriesIn(tables, snapshot).teamsIn(organizationId, userId).length === 0) return false
              const row = publicMembership.find(snapshot, pairKey(organizationId, userId))
              if (isPublic && row === undefined) yield* publicMembership.insert(snapshot, { organizationId, userId })
              if (!isPublic && row !== undefined) yield* publicMembership.remove(snapshot, row.id)
              return true
            })
          )
          .pipe(Effect.orDie),
      remove: (organization, user) =>
        database
          .write((snapshot) => {
            const rows = tables.teamsOfUser
              .list(snapshot, String(user))
              .filter((row) => row.organizationId === organization)
            for (const row of rows) teamMember.remove(snapshot, row.id)
            concealFormer(tables, snapshot, organization, [user])
            return Result.succeed(rows.length > 0)
          })
          .pipe(Effect.orDie),
      countOwners: (organization) =>
        database.read((snapshot) =>
          tables.teamsOf
            .list(snapshot, String(organization))
            .filter((team) => team.owners)
            .reduce((count, team) => count + tables.membersOf.count(snapshot, String(team.id)), 0)
        )
    }
  })
)
