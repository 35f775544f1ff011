import { nameKey } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { type Team, type TeamId, TeamStore } from "@slipway/domain/forge/identity"
import { Effect, Layer, Result } from "effect"
import { byNamePlace, cut } from "../base/pages.ts"
import { inOrderOf, queriesIn } from "../base/queries.ts"
import { pairKey, Tables } from "../base/tables.ts"
import { concealFormer } from "./organizations.ts"
import { peopleIn } from "./people.ts"

/** Stores teams in memory. */
export const teamStore = Layer.effect(
  TeamStore,
  Effect.map(Tables, (tables) => {
    const { database, organization, repository, team, teamMember, teamRepository, user } = tables
    const byName = (rows: ReadonlyArray<Team>) => inOrderOf(rows, (row) => row.name)
    const addToTeams = (ids: ReadonlyArray<TeamId>, repositoryId: RepositoryId) =>
      database
        .write((snapshot) =>
          Result.gen(function* () {
            const owner = repository.get(snapshot, repositoryId)?.owner
            const holders = ids.filter((id) => {
              const row = team.get(snapshot, id)
              return row !== undefined && row.organizationId === owner?.id
            })
            for (const teamId of holders) {
              if (teamRepository.has(snapshot, pairKey(teamId, repositoryId))) continue
              yield* teamRepository.insert(snapshot, { teamId, repositoryId })
            }
            return holders
          })
        )
        .pipe(Effect.orDie)
    return {
      insert: (row) =>
        database.write((snapshot) => Result.map(team.insert(snapshot, row as Omit<Team, "id">), (stored) => stored)),
      find: (id) => database.read((snapshot) => team.get(snapshot, id)),
      findMany: (ids) =>
        database.read((snapshot) => {
          const found = ids.flatMap((id) => team.get(snapshot, id) ?? [])
          return new Map(found.map((row) => [row.id, row]))
        }),
      named: (of, name) => database.read((snapshot) => team.find(snapshot, pairKey(of, nameKey(name)), 1)),
      replace: ({ id, organizationId: _, owners: __, ...set }) =>
        database.write((snapshot) => {
          const row = team.get(snapshot, id)
          return row === undefined ? Result.succeed(false) : team.replace(snapshot, { ...row, ...set })
        }),
      remove: (id) =>
        database
          .write((snapshot) => {
            const row = team.get(snapshot, id)
            if (row === undefined) return Result.succeed(false)
            const members = queriesIn(tables, snapshot).memberIds(id)
            return Result.map(team.remove(snapshot, id), (removed) => {
              concealFormer(tables, snapshot, row.organizationId, members)
              return removed
            })
          })
          .pipe(Effect.orDie),
      list: (viewer, of, { descriptions = false, ids, name, names, text = "" }, page) =>
        database.read((snapshot) => {
          const key = nameKey(text)
          const nameKeys = names?.map(nameKey)
          const all =
            name === undefined
              ? tables.teamsOf.list(snapshot, String(of))
              : [team.find(snapshot, pairKey(of, nameKey(name)), 1) ?? []].flat()
          const rows = all
            .filter(
              (each) =>
                key.isWellFormed() &&
                (nameKey(each.name).includes(key) || (descriptions && nameKey(each.description).includes(key)))
            )
            .filter((each) => ids === undefined || ids.includes(each.id))
            .filter((each) => nameKeys === undefined || nameKeys.includes(nameKey(each.name)))
            .filter(queriesIn(tables, snapshot).canSeeTeam(viewer))
          return cut(byName(rows), page, byNamePlace)
        }),
      ofUser: (viewer, of, page) =>
        database.read((snapshot) => {
          const canSee = queriesIn(tables, snapshot).canSeeTeam(viewer)
          const rows = tables.teamsOfUser.list(snapshot, String(of)).flatMap((row) => {
            const found = team.get(snapshot, row.teamId)
            const owner = organization.get(snapshot, row.organizationId)
            return found === undefined || owner === undefined || !canSee(found)
              ? []
              : [{ team: found, organization: owner }]
          })
          const teams = inOrderOf(rows, (row) => row.team.name)
          return cut(
            inOrderOf(teams, (row) => row.organization.name),
            page,
            (row) => [nameKey(row.organization.name), nameKey(row.team.name)]
          )
        }),
      addMember: (teamId, userId) =>
        database
          .write((snapshot) => {
            const row = team.get(snapshot, teamId)
            if (row === undefined || user.get(snapshot, userId) === undefined) return Result.succeed(false)
            if (teamMember.has(snapshot, pairKey(teamId, userId))) return Result.succeed(true)
            const { organizationId } = row
            return Result.map(teamMember.insert(snapshot, { teamId, organizationId, userId }), () => true)
          })
          .pipe(Effect.orDie),
      removeMember: (teamId, userId) =>
        database
          .write((snapshot) => {
            const row = teamMember.find(snapshot, pairKey(teamId, userId))
            if (row === undefined) return Result.succeed(false)
            return Result.map(teamMember.remove(snapshot, row.id), (removed) => {
              concealFormer(tables, snapshot, row.organizationId, [userId])
              return removed
            })
          })
          .pipe(Effect.orDie),
      hasMember: (teamId, userId) => database.read((snapshot) => teamMember.has(snapshot, pairKey(teamId, userId))),
      members: (viewer, of, page, hiddenToo = false) =>
        database.read((snapshot) => {
          const { byName, rowsOf, seenBy } = peopleIn(tables, snapshot)
          return seenBy(viewer)(byName(rowsOf(queriesIn(tables, snapshot).memberIds(of))), page, { hiddenToo })
        }),
      memberIds: (teams, limit) =>
        database.read((snapshot) => {
          const { memberIds } = queriesIn(tables, snapshot)
          return [...new Set(teams.flatMap((each) => [...memberIds(each)]))]
            .toSorted((one, other) => one - other)
            .slice(0, limit)
        }),
      addRepository: (teamId, repositoryId) =>
        Effect.map(addToTeams([teamId], repositoryId), ({ length }) => length > 0),
      addToTeams,
      removeRepository: (teamId, repositoryId) =>
        database
          .write((snapshot) => {
            const row = teamRepository.find(snapshot, pairKey(teamId, repositoryId))
            return row === undefined ? Result.succeed(false) : teamRepository.remove(snapshot, row.id)
          })
          .pipe(Effect.orDie),
      holds: (teamId, repositoryId) =>
        database.read((snapshot) => {
          const held = team.get(snapshot, teamId)
          const row = repository.get(snapshot, repositoryId)
          return held !== undefined && row !== undefined && queriesIn(tables, snapshot).holds(held, row)
        }),
      ofRepository: (viewer, repositoryId, page) =>
        database.read((snapshot) => {
          const { holds, canSeeTeam } = queriesIn(tables, snapshot)
          const row = repository.get(snapshot, repositoryId)
          const rows =
            row === undefined
              ? []
              : tables.teamsOf.list(snapshot, String(row.owner.id)).filter((each) => holds(each, row))
          return cut(byName(rows.filter(canSeeTeam(viewer))), page, byNamePlace)
        })
    }
  })
)
