import { nameKey } from "@slipway/domain"
import { Level } from "@slipway/domain/access"
import {
  type People,
  type Places,
  ReachStore,
  type RepositoryId,
  sees,
  type Tie,
  type User,
  type UserId
} from "@slipway/domain/forge"
import { Effect, Layer } from "effect"
import { byCodePoints } from "../codePoints.ts"
import type { Snapshot } from "../Database.ts"
import { cut, groundsIn } from "./grounds.ts"
import { peopleIn } from "./people.ts"
import { pairKey, type RepositoryRow, Tables } from "./tables.ts"

/** Reads what ties users to repositories from memory. */
export const reachStore = Layer.effect(
  ReachStore,
  Effect.map(Tables, (tables) => {
    const { collaborator, database, repository, teamRepository } = tables

    const ground = (snapshot: Snapshot) => {
      const { holds, present, teamsIn } = groundsIn(tables, snapshot)
      const { find } = peopleIn(tables, snapshot)

      const tie = (user: User, row: RepositoryRow): Tie => {
        const teams = row.owner.kind === "organization" ? teamsIn(row.owner.id, user.id) : []
        return {
          user,
          repository: present(row),
          member: teams.length > 0,
          collaborator: collaborator.find(snapshot, pairKey(row.id, user.id))?.level ?? Level.none,
          teams: teams
            .filter((each) => holds(each, row))
            .map(({ id, name, owners, units }) => ({ id, name, owners, units }))
        }
      }

      const idsOf = (people: People): ReadonlyArray<UserId> => {
        if (people.kind === "user") return [people.id]
        if (people.kind === "team") return tables.membersOf.list(snapshot, String(people.id)).map((row) => row.userId)
        const row = repository.get(snapshot, people.id)
        if (row === undefined) return []
        const teams = tables.teamsOf
          .list(snapshot, String(row.owner.id))
          .filter((each) => people.membersToo || holds(each, row))
        return [
          ...(row.owner.kind === "user" ? [row.owner.id] : []),
          ...tables.collaboratorsOf.list(snapshot, String(row.id)).map(({ userId }) => userId),
          ...teams.flatMap(({ id }) => tables.membersOf.list(snapshot, String(id)).map(({ userId }) => userId))
        ]
      }

      const peopleOf = (people: People): ReadonlyArray<User> => {
        const seen = people.seenBy === undefined ? () => true : sees(people.seenBy)
        return [...new Set(idsOf(people))]
          .flatMap((id) => find(id) ?? [])
          .filter(seen)
          .toSorted((one, other) => byCodePoints(nameKey(one.name), nameKey(other.name)))
      }

      const placesOf = (places: Places): ReadonlyArray<RepositoryRow> => {
        if (places.kind === "repository") return [repository.get(snapshot, places.id) ?? []].flat()
        const { heldBy, id, openToo = false } = places
        return tables.repositoriesOf
          .list(snapshot, String(id))
          .filter(
            (row) =>
              heldBy === undefined || teamRepository.has(snapshot, pairKey(heldBy, row.id)) || (openToo && !row.private)
          )
      }

      const pair = (userId: UserId, repositoryId: RepositoryId): ReadonlyArray<Tie> => {
        const row = repository.get(snapshot, repositoryId)
        const user = find(userId)
        return row === undefined || user === undefined ? [] : [tie(user, row)]
      }

      return { tie, peopleOf, placesOf, pair }
    }

    return {
      ties: (people, places, page) =>
        database.read((snapshot) => {
          const { peopleOf, placesOf, tie } = ground(snapshot)
          const found = peopleOf(people)
          const { rows, total } = cut(
            placesOf(places).flatMap((row) => found.map((user) => [user, row] as const)),
            page
          )
          return { rows: rows.map(([user, row]) => tie(user, row)), total }
        }),
      tiesOf: (pairs) =>
        database.read((snapshot) => {
          const { pair } = ground(snapshot)
          return pairs.flatMap(({ repository, user }) => pair(user, repository))
        })
    }
  })
)
