import { Duplicate, nameKey } from "@slipway/domain"
import { type OwnerId, type RepositoryId, RepositoryStore } from "@slipway/domain/forge"
import { Effect, Layer, Result } from "effect"
import type { Snapshot } from "../Database.ts"
import { byId, cut, rowsOfTable, those } from "./pages.ts"
import { peopleIn } from "./people.ts"
import { queriesIn } from "./queries.ts"
import { pairKey, type RepositoryRow, Tables } from "./tables.ts"

/** Keeps repositories in memory. */
export const repositoryStore = Layer.effect(
  RepositoryStore,
  Effect.map(Tables, (tables) => {
    const { collaborator, database, repository, repositoryName: register, team, user } = tables
    const find = (id: RepositoryId) =>
      database.read((snapshot) => {
        const row = repository.get(snapshot, id)
        return row && queriesIn(tables, snapshot).present(row)
      })

    /** Enters a name of an owner in the register, in the place of one that only leads to a repository. */
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
      // Transactions run one after the other, so that a repository is locked by being in one.
      lock: find,
      replace: ({ createdAt: _, id, name: __, owner: ___, ...set }) =>
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
      remove: (id) => database.write((snapshot) => repository.remove(snapshot, id)).pipe(Effect.orDie),
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
      list: (viewer, { owner, team: teamId, text = "" }, page) =>
        database.read((snapshot) => {
          const { canSeeRepository, holds, withGrants } = queriesIn(tables, snapshot)
          const key = nameKey(text)
          const holder = teamId === undefined ? undefined : team.get(snapshot, teamId)
          const of = owner ?? holder?.organizationId
          const rows =
            of === undefined ? rowsOfTable(repository, snapshot) : tables.repositoriesOf.list(snapshot, String(of))
          const isSeen = canSeeRepository(viewer)
          const matching = those(
            rows,
            (row) =>
              (owner === undefined || row.owner.id === owner) &&
              (teamId === undefined || (holder !== undefined && holds(holder, row))) &&
              key.isWellFormed() &&
              nameKey(row.name).includes(key) &&
              isSeen(withGrants(row, viewer.userId))
          )
          const { rows: shown, ...rest } = cut(matching, page, byId)
          return { ...rest, rows: shown.map((row) => withGrants(row, viewer.userId)) }
        }),
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
      collaborators: (viewer, of, page) =>
        database.read((snapshot) => {
          const { byName, rowsOf, seenBy } = peopleIn(tables, snapshot)
          const ids = tables.collaboratorsOf.list(snapshot, String(of)).map((row) => row.userId)
          return seenBy(viewer)(byName(rowsOf(ids)), page)
        })
    }
  })
)
