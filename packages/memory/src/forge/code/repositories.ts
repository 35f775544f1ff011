import { compile } from "@slipway/access"
import { Duplicate, nameKey, type SortKey } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import {
  type OwnerKey,
  type RepositoryFilter,
  RepositoryStore,
  reachedRepositories,
  repositoryRowFacts
} from "@slipway/domain/forge/code"
import type { OwnerId } from "@slipway/domain/forge/identity"
import { Effect, Layer, Result } from "effect"
import type { Snapshot } from "../../Database.ts"
import { ownedRowBy } from "../../ownedStore.ts"
import { cut, filterRows, rowsOfTable, sortedByPlace } from "../base/pages.ts"
import { queriesIn } from "../base/queries.ts"
import { pairKey, type RepositoryRow, Tables } from "../base/tables.ts"
import { peopleIn } from "../identity/people.ts"
import { summaryIn } from "./summaries.ts"

const isReached = compile(reachedRepositories)

/**
 * Returns the function that computes the sort key of a repository. The counts of stars and forks are read from their
 * tables.
 */
const keyIn = (tables: Tables["Service"], snapshot: Snapshot, { order = "id" }: RepositoryFilter) => {
  if (order === "fullName") {
    const { present } = queriesIn(tables, snapshot)
    return (row: RepositoryRow): SortKey => [nameKey(present(row).owner.name), nameKey(row.name)]
  }
  if (order !== "stars" && order !== "forks") return (row: RepositoryRow): SortKey => [row[order]]
  const counter = tables.owned.get(order === "stars" ? "star" : "fork")?.counters.get(order)
  return (row: RepositoryRow): SortKey => [counter?.count(snapshot, String(row.id)) ?? 0]
}

const placeIn =
  ({ descending = false, first }: RepositoryFilter, key: ReturnType<typeof keyIn>) =>
  (row: RepositoryRow): SortKey => [Number((row.owner.id === first) === descending), ...key(row), row.id]

/** Stores repositories in memory. */
export const repositoryStore = Layer.effect(
  RepositoryStore,
  Effect.map(Tables, (tables) => {
    const { collaborator, database, repository, repositoryName: register, team, user } = tables
    const find = (id: RepositoryId) =>
      database.read((snapshot) => {
        const row = repository.get(snapshot, id)
        return row && queriesIn(tables, snapshot).present(row)
      })

    const forkTable = tables.owned.get("fork")
    const parentOf = (snapshot: Snapshot, repositoryId: RepositoryId): unknown => {
      const row = forkTable && ownedRowBy(snapshot, forkTable, { repositoryId })
      return row?.parentId ?? undefined
    }

    /** Reserves an owner's name, replacing a redirect to a repository. */
    const take = (
      snapshot: Snapshot,
      ownerId: OwnerId,
      name: string,
      repositoryId: RepositoryId
    ): Result.Result<unknown, Duplicate> => {
      const key = nameKey(name)
      const holder = register.find(snapshot, pairKey(ownerId, key))
      if (holder === undefined) return register.insert(snapshot, { ownerId, key, repositoryId, current: true })
      if (holder.current && holder.repositoryId !== repositoryId) {
        return Result.fail(new Duplicate({ of: "repository.name" }))
      }
      return register.replace(snapshot, { ...holder, repositoryId, current: true })
    }

    return {
      insert: ({ owner, ...row }) =>
        database.write((snapshot) =>
          Result.gen(function* () {
            const { id, kind } = owner
            const stored = yield* repository.insert(snapshot, {
              ...row,
              owner: { kind, id } as RepositoryRow["owner"]
            } as Omit<RepositoryRow, "id">)
            yield* take(snapshot, id, row.name, stored.id)
            return queriesIn(tables, snapshot).present(stored)
          })
        ),
      find,
      named: (owner, name) =>
        database.read((snapshot) => {
          const found = queriesIn(tables, snapshot).repositoryNamed(owner, name, undefined)
          return found && { repository: found.repository, renamed: found.renamed }
        }),
      // Transactions run one after the other, so this needs no lock.
      lock: find,
      replace: ({ createdAt: _, id, name: __, objectFormat: ____, owner: ___, ...set }) =>
        database
          .write((snapshot) => {
            const row = repository.get(snapshot, id)
            return row === undefined ? Result.succeed(false) : repository.replace(snapshot, { ...row, ...set })
          })
          .pipe(Effect.orDie),
      rename: (id, name) =>
        database.write((snapshot) => {
          const row = repository.get(snapshot, id)
          if (row === undefined) return Result.succeed(false)
          return Result.gen(function* () {
            for (const held of tables.namesOfRepository.list(snapshot, String(id))) {
              yield* register.replace(snapshot, { ...held, current: false })
            }
            yield* take(snapshot, row.owner.id, name, id)
            return yield* repository.replace(snapshot, { ...row, name })
          })
        }),
      transfer: (id, owner) =>
        database.write((snapshot) => {
          const row = repository.get(snapshot, id)
          if (row === undefined) return Result.succeed(false)
          return Result.gen(function* () {
            for (const held of tables.namesOfRepository.list(snapshot, String(id))) {
              yield* register.replace(snapshot, { ...held, current: false })
            }
            yield* take(snapshot, owner.id, row.name, id)
            // No other rows refer to these, so removal can't fail.
            for (const held of rowsOfTable(tables.teamRepository, snapshot)) {
              if (held.repositoryId === id) tables.teamRepository.remove(snapshot, held.id)
            }
            for (const held of tables.collaboratorsOf.list(snapshot, String(id))) {
              const blocked = tables.block.has(snapshot, pairKey(owner.id, held.userId))
              if (blocked || held.userId === owner.id) collaborator.remove(snapshot, held.id)
            }
            const issueLabel = tables.owned.get("issueLabel")
            const label = tables.owned.get("label")
            for (const issue of tables.owned.get("issue")?.scopes.get("repositoryId")?.list(snapshot, String(id)) ??
              []) {
              for (const held of issueLabel?.scopes.get("issueId")?.list(snapshot, String(issue.id)) ?? []) {
                const of = label?.rows.get(snapshot, held.labelId as number)
                if (of?.organizationId !== null) issueLabel?.rows.remove(snapshot, held.id)
              }
            }
            return yield* repository.replace(snapshot, {
              ...row,
              owner: { kind: owner.kind, id: owner.id } as OwnerKey
            })
          })
        }),
      remove: (id) => database.write((snapshot) => repository.remove(snapshot, id)).pipe(Effect.orDie),
      removeOwnedBy: (owner) =>
        database
          .write((snapshot) =>
            Result.gen(function* () {
              const ids = tables.repositoriesOf.list(snapshot, String(owner)).map((row) => row.id)
              for (const id of ids) yield* repository.remove(snapshot, id)
              return ids
            })
          )
          .pipe(Effect.orDie),
      countOwned: (owner) => database.read((snapshot) => tables.repositoriesOf.count(snapshot, String(owner))),
      lastIdOf: (owner) => database.read((snapshot) => tables.repositoriesOf.list(snapshot, String(owner)).at(-1)?.id),
      idsOf: (owner, upTo, limit) =>
        database.read((snapshot) =>
          tables.repositoriesOf
            .list(snapshot, String(owner), { limit })
            .map((row) => row.id)
            .filter((id) => id <= upTo)
        ),
      ownsAny: (owner) => database.read((snapshot) => tables.repositoriesOf.count(snapshot, String(owner)) > 0),
      list: (viewer, filter, page) =>
        database.read((snapshot) => {
          const { allowing, descriptions = false, notOwner, owner, reachedBy, team: teamId, text = "" } = filter
          const { canActOnRepository, canSeeRepository, holds, withGrants } = queriesIn(tables, snapshot)
          const key = nameKey(text)
          const reaches = (row: RepositoryRow) =>
            reachedBy === undefined || isReached(repositoryRowFacts({ userId: reachedBy }, withGrants(row, reachedBy)))
          const { starredBy, topic } = filter
          const named = topic === undefined ? undefined : nameKey(topic)
          const withTopic = (topicKey: string) =>
            new Set(tables.topicsByName?.list(snapshot, topicKey).map((row) => Number(row["repositoryId"])))
          const about = named === undefined ? undefined : withTopic(named)
          const alsoAbout = descriptions && key !== "" ? withTopic(key) : undefined
          const within = (kind: string, scope: string, id: number | undefined) =>
            id === undefined
              ? undefined
              : new Set(
                  tables.owned
                    .get(kind)
                    ?.scopes.get(scope)
                    ?.list(snapshot, String(id))
                    .map((row) => Number(row["repositoryId"]))
                )
          const starred = within("star", "userId", starredBy)
          const forked = within("fork", "parentId", filter.forkOf)
          const flags = (["private", "archived", "template", "mirror"] as const).filter((f) => filter[f] !== undefined)
          const holder = teamId === undefined ? undefined : team.get(snapshot, teamId)
          const of = owner ?? holder?.organizationId
          const few = starred ?? forked ?? about
          const rows =
            of !== undefined
              ? tables.repositoriesOf.list(snapshot, String(of))
              : few !== undefined
                ? [...few].toSorted((one, other) => one - other).flatMap((id) => repository.get(snapshot, id) ?? [])
                : rowsOfTable(repository, snapshot)
          const isSeen = allowing === undefined ? canSeeRepository(viewer) : canActOnRepository(viewer, allowing)
          const matching = filterRows(
            rows,
            (row) =>
              (owner === undefined || row.owner.id === owner) &&
              (forked === undefined || forked.has(row.id)) &&
              (filter.fork === undefined || (parentOf(snapshot, row.id) !== undefined) === filter.fork) &&
              (notOwner === undefined || row.owner.id !== notOwner) &&
              flags.every((flag) => row[flag] === filter[flag]) &&
              (about === undefined || about.has(row.id)) &&
              (starred === undefined || starred.has(row.id)) &&
              reaches(row) &&
              (teamId === undefined || (holder !== undefined && holds(holder, row))) &&
              key.isWellFormed() &&
              (nameKey(row.name).includes(key) ||
                (descriptions && nameKey(row.description).includes(key)) ||
                alsoAbout?.has(row.id) === true) &&
              isSeen(withGrants(row, viewer.userId))
          )
          // In the order of their ids, rows are read on demand, no more than the page needs.
          const { descending = false, first, order = "id" } = filter
          const placeOf = placeIn(filter, keyIn(tables, snapshot, filter))
          const inOrder =
            order === "id" && first === undefined && !descending
              ? matching
              : sortedByPlace(matching, placeOf, { descending })
          const { rows: shown, ...rest } = cut(inOrder, page, placeOf, { descending })
          return { ...rest, rows: shown.map((row) => withGrants(row, viewer.userId)) }
        }),
      heldOn: (userId, ids) =>
        database.read((snapshot) => {
          const { repositoryWithGrants } = queriesIn(tables, snapshot)
          return new Map(
            ids.flatMap((id) => {
              const held = repositoryWithGrants(id, userId)
              return held === undefined ? [] : [[id, held] as const]
            })
          )
        }),
      summaries: (ids) =>
        database.read(
          (snapshot) =>
            new Map(
              ids.flatMap((id) => {
                const found = repository.get(snapshot, id)
                return found === undefined ? [] : [[id, summaryIn(tables, snapshot, found)] as const]
              })
            )
        ),
      grantsOf: (userId, id) =>
        database.read((snapshot) => queriesIn(tables, snapshot).repositoryWithGrants(id, userId)),
      setCollaborator: (repositoryId, { level, userId }) =>
        database
          .write((snapshot) => {
            if (repository.get(snapshot, repositoryId) === undefined || user.get(snapshot, userId) === undefined) {
              return Result.succeed(false)
            }
            const row = collaborator.find(snapshot, pairKey(repositoryId, userId))
            return row === undefined
              ? Result.map(collaborator.insert(snapshot, { repositoryId, userId, level }), () => true)
              : collaborator.replace(snapshot, { ...row, level })
          })
          .pipe(Effect.orDie),
      removeCollaborator: (repositoryId, userId) =>
        database
          .write((snapshot) => {
            const row = collaborator.find(snapshot, pairKey(repositoryId, userId))
            return row === undefined ? Result.succeed(false) : collaborator.remove(snapshot, row.id)
          })
          .pipe(Effect.orDie),
      removeCollaborations: (owner, of) =>
        database
          .write((snapshot) =>
            Result.gen(function* () {
              for (const row of tables.collaborationsOf.list(snapshot, String(of))) {
                const isOwned = repository.get(snapshot, row.repositoryId)?.owner.id === owner
                if (isOwned) yield* collaborator.remove(snapshot, row.id)
              }
            })
          )
          .pipe(Effect.orDie),
      collaborator: (repositoryId, userId) =>
        database.read((snapshot) => collaborator.find(snapshot, pairKey(repositoryId, userId))?.level),
      collaborators: (viewer, of, page, hiddenToo = false) =>
        database.read((snapshot) => {
          const { byName, rowsOf, seenBy } = peopleIn(tables, snapshot)
          const ids = tables.collaboratorsOf.list(snapshot, String(of)).map((row) => row.userId)
          return seenBy(viewer)(byName(rowsOf(ids)), page, { hiddenToo })
        })
    }
  })
)
