import { Level } from "@slipway/access"
import { nameKey } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import {
  type AccessPair,
  EffectiveAccessStore,
  type People,
  type RepositoryRange
} from "@slipway/domain/forge/explanation"
import type { User, UserId } from "@slipway/domain/forge/identity"
import { Effect, Layer } from "effect"
import { byCodePoints } from "../../codePoints.ts"
import type { Snapshot } from "../../Database.ts"
import { cut } from "../base/pages.ts"
import { queriesIn } from "../base/queries.ts"
import { pairKey, type RepositoryRow, Tables } from "../base/tables.ts"
import { peopleIn } from "../identity/people.ts"
import { listedTo } from "../identity/relations.ts"

/** Lists from memory the pairs of a user and a repository that an access report covers. */
export const effectiveAccessStore = Layer.effect(
  EffectiveAccessStore,
  Effect.map(Tables, (tables) => {
    const { collaborator, database, repository, teamRepository } = tables

    const queries = (snapshot: Snapshot) => {
      const { holds, present, teamsIn } = queriesIn(tables, snapshot)
      const { find } = peopleIn(tables, snapshot)

      const pairOf = (user: User, row: RepositoryRow): AccessPair => {
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
        const seen = people.seenBy === undefined ? () => true : listedTo(tables, snapshot, people.seenBy)
        return [...new Set(idsOf(people))]
          .flatMap((id) => find(id) ?? [])
          .filter(seen)
          .toSorted((one, other) => byCodePoints(nameKey(one.name), nameKey(other.name)))
      }

      const repositoriesIn = (repositories: RepositoryRange): ReadonlyArray<RepositoryRow> => {
        if (repositories.kind === "repository") return [repository.get(snapshot, repositories.id) ?? []].flat()
        const { grantedTo, id, openToo = false } = repositories
        return tables.repositoriesOf
          .list(snapshot, String(id))
          .filter(
            (row) =>
              grantedTo === undefined ||
              teamRepository.has(snapshot, pairKey(grantedTo, row.id)) ||
              (openToo && !row.private)
          )
      }

      const pairsOf = (userId: UserId, repositoryId: RepositoryId): ReadonlyArray<AccessPair> => {
        const row = repository.get(snapshot, repositoryId)
        const user = find(userId)
        return row === undefined || user === undefined ? [] : [pairOf(user, row)]
      }

      return { pairOf, pairsOf, peopleOf, repositoriesIn }
    }

    return {
      list: (people, repositories, page) =>
        database.read((snapshot) => {
          const { pairOf, peopleOf, repositoriesIn } = queries(snapshot)
          const found = peopleOf(people)
          const pairs = repositoriesIn(repositories).flatMap((row) => found.map((user) => [user, row] as const))
          const { rows, ...rest } = cut(pairs, page, ([user, row]) => [row.id, nameKey(user.name)])
          return { ...rest, rows: rows.map(([user, row]) => pairOf(user, row)) }
        }),
      find: (pairs) =>
        database.read((snapshot) => {
          const { pairsOf } = queries(snapshot)
          return pairs.flatMap(({ repository, user }) => pairsOf(user, repository))
        })
    }
  })
)
