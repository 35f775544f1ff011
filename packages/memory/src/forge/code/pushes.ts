import { type Push, PushStore } from "@slipway/domain/forge/code"
import { Effect, Layer, Result } from "effect"
import { byId, cut } from "../base/pages.ts"
import { Tables } from "../base/tables.ts"

/** Stores pushes in memory. */
export const pushStore = Layer.effect(
  PushStore,
  Effect.map(Tables, ({ database, push, pushesOf }) => ({
    begin: (row) =>
      database
        .write((snapshot) => push.insert(snapshot, { ...row, settled: false } as Omit<Push, "id">))
        .pipe(Effect.orDie),
    find: (id) => database.read((snapshot) => push.get(snapshot, id)),
    settle: (id, changed) =>
      database
        .write((snapshot) => {
          const row = push.get(snapshot, id)
          if (row === undefined || row.settled) return Result.succeed(false)
          return push.replace(snapshot, {
            ...row,
            refs: row.refs.filter(({ ref }) => changed.includes(ref)),
            settled: true
          })
        })
        .pipe(Effect.orDie),
    pending: (repository) =>
      database.read((snapshot) =>
        pushesOf.list(snapshot, String(repository)).reduce((sum, { settled, size }) => (settled ? sum : sum + size), 0)
      ),
    followed: (id) =>
      database.read((snapshot) => {
        const row = push.get(snapshot, id)
        if (row === undefined) return []
        const later = pushesOf.list(snapshot, String(row.repositoryId)).filter((each) => each.id > id)
        return row.refs.flatMap(({ after, ref }) =>
          later.some((each) => each.refs.some((next) => next.ref === ref && next.before === after)) ? [ref] : []
        )
      }),
    isChanging: (repository, ref) =>
      database.read((snapshot) =>
        pushesOf
          .list(snapshot, String(repository))
          .some(({ refs, settled }) => !settled && refs.some((each) => each.ref === ref))
      ),
    list: (repository, page) =>
      database.read((snapshot) =>
        cut(
          pushesOf
            .list(snapshot, String(repository))
            .filter(({ refs, settled }) => settled && refs.length > 0)
            .toReversed(),
          page,
          byId,
          { descending: true }
        )
      )
  }))
)
