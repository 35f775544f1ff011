import type { RepositoryId } from "@slipway/domain/forge/base"
import { type CodeFilter, CodeIndexStore, type FoundCode, type IndexRun } from "@slipway/domain/forge/code"
import { Effect, Layer, Result } from "effect"
import { byCodePoints } from "../../codePoints.ts"
import type { Snapshot } from "../../Database.ts"
import { cut } from "../base/pages.ts"
import { queriesIn } from "../base/queries.ts"
import { type CodeFileRow, pairKey, Tables } from "../base/tables.ts"

const everything = { limit: Number.POSITIVE_INFINITY }

const matches = ({ language, path, words }: CodeFilter) => {
  const wanted = language?.toLowerCase()
  return (file: CodeFileRow): boolean =>
    words.every((beginning) => file.words.some((word) => word.startsWith(beginning))) &&
    (wanted === undefined || file.language.toLowerCase() === wanted) &&
    (path === undefined || file.path.includes(path))
}

const inOrder = (one: CodeFileRow, other: CodeFileRow): number =>
  one.repositoryId - other.repositoryId || byCodePoints(one.path, other.path)

/** Stores the index of code search in memory. */
export const codeIndexStore = Layer.effect(
  CodeIndexStore,
  Effect.map(Tables, (tables) => {
    const { codeFile, codeIndex, database, repository } = tables
    const indexOf = (snapshot: Snapshot, id: RepositoryId) => codeIndex.find(snapshot, String(id))
    /** Returns the index of a repository if an update is the latest one of it. */
    const latest = (snapshot: Snapshot, { repositoryId, run }: IndexRun) => {
      const present = indexOf(snapshot, repositoryId)
      return present?.run === run ? present : undefined
    }
    const filesOf = (snapshot: Snapshot, id: RepositoryId) => tables.codeFilesOf.list(snapshot, String(id))

    return {
      begin: (repositoryId, at) =>
        database
          .write((snapshot) =>
            Result.gen(function* () {
              if (repository.get(snapshot, repositoryId) === undefined) return undefined
              const present = indexOf(snapshot, repositoryId)
              const begun = { run: (present?.run ?? 0) + 1, begunAt: at }
              if (present === undefined) {
                yield* codeIndex.insert(snapshot, {
                  repositoryId,
                  indexedAt: null,
                  commit: null,
                  incomplete: false,
                  ...begun
                })
              } else yield* codeIndex.replace(snapshot, { ...present, ...begun })
              const { commit = null, incomplete = false } = present ?? {}
              return { repositoryId, at, run: begun.run, commit, incomplete } satisfies IndexRun
            })
          )
          .pipe(Effect.orDie),
      files: (repositoryId) =>
        database.read(
          (snapshot) =>
            new Map(
              filesOf(snapshot, repositoryId)
                .toSorted(inOrder)
                .map(({ blob, path }) => [path, blob])
            )
        ),
      change: (run, { put, remove }) =>
        database
          .write((snapshot) =>
            Result.gen(function* () {
              const index = latest(snapshot, run)
              if (index === undefined) return false
              yield* codeIndex.replace(snapshot, { ...index, commit: null })
              const { repositoryId } = run
              for (const path of [...remove, ...put.map((file) => file.path)]) {
                const present = codeFile.find(snapshot, pairKey(repositoryId, path))
                if (present !== undefined) yield* codeFile.remove(snapshot, present.id)
              }
              for (const file of put) yield* codeFile.insert(snapshot, { ...file, repositoryId })
              return true
            })
          )
          .pipe(Effect.orDie),
      finish: (run, { commit, incomplete }) =>
        database
          .write((snapshot) => {
            const present = latest(snapshot, run)
            return present === undefined
              ? Result.succeed(false)
              : codeIndex.replace(snapshot, { ...present, commit, incomplete, indexedAt: run.at })
          })
          .pipe(Effect.orDie),
      due: (at, since, limit) =>
        database
          .write((snapshot) =>
            Result.gen(function* () {
              const isDue = ({ empty, id, updatedAt }: { empty: boolean; id: RepositoryId; updatedAt: string }) => {
                const present = indexOf(snapshot, id)
                if (empty || present === undefined) return !empty
                return (present.indexedAt === null || present.indexedAt < updatedAt) && present.begunAt < since
              }
              const ids = repository
                .list(snapshot, everything)
                .filter(isDue)
                .slice(0, limit)
                .map(({ id }) => id)
              for (const repositoryId of ids) {
                const present = indexOf(snapshot, repositoryId)
                if (present !== undefined) yield* codeIndex.replace(snapshot, { ...present, begunAt: at })
                else {
                  yield* codeIndex.insert(snapshot, {
                    repositoryId,
                    run: 0,
                    begunAt: at,
                    indexedAt: null,
                    commit: null,
                    incomplete: false
                  })
                }
              }
              return ids
            })
          )
          .pipe(Effect.orDie),
      clear: (limit) =>
        database
          .write((snapshot) =>
            Result.gen(function* () {
              const rows = codeIndex.list(snapshot, { limit })
              for (const { id, repositoryId } of rows) {
                for (const file of filesOf(snapshot, repositoryId)) yield* codeFile.remove(snapshot, file.id)
                yield* codeIndex.remove(snapshot, id)
              }
              return rows.length
            })
          )
          .pipe(Effect.orDie),
      search: (scope, filter, page) =>
        database.read((snapshot) => {
          const { canReadUnit, present } = queriesIn(tables, snapshot)
          const reads =
            "repositoryId" in scope
              ? (id: RepositoryId) => id === scope.repositoryId
              : canReadUnit(scope.viewer, "repo.code")
          const isFound = matches(filter)
          const files =
            "repositoryId" in scope ? filesOf(snapshot, scope.repositoryId) : codeFile.list(snapshot, everything)
          const rows = files.filter((file) => isFound(file) && reads(file.repositoryId)).toSorted(inOrder)
          const { rows: shown, ...rest } = cut(rows, page, ({ path, repositoryId }) => [repositoryId, path])
          const found = shown.flatMap(({ blob, language, path, repositoryId, size }): ReadonlyArray<FoundCode> => {
            const row = repository.get(snapshot, repositoryId)
            if (row === undefined) return []
            const { defaultBranch, name, owner } = present(row)
            const incomplete = indexOf(snapshot, repositoryId)?.incomplete ?? false
            return [
              {
                repository: { id: repositoryId, owner: owner.name, name, defaultBranch },
                path,
                blob,
                size,
                language,
                incomplete
              }
            ]
          })
          return { ...rest, rows: found }
        })
    }
  })
)
