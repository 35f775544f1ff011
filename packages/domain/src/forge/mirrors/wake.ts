import { Effect } from "effect"
import type { OwnedFilter } from "../../owned/OwnedStore.ts"
import { now } from "../../Time.ts"
import { mirrors, mostPushMirrors } from "./Mirror.ts"

type MirrorFilter = OwnedFilter<{
  readonly name: "mirror"
  readonly row: import("./Mirror.ts").Mirror
  readonly hidden: object
  readonly within: never
  readonly order: "id" | "due"
  readonly filter: "repositoryId" | "direction" | "dueAt" | "onCommit"
  readonly unique: object
  readonly numbered: never
  readonly counters: object
}>

/** Makes the mirrors of one repository due in the running transaction; those that somebody is at, afterwards. They are few. */
export const wakeAll = Effect.fnUntraced(function* (filter: MirrorFilter) {
  const store = yield* mirrors.store
  const { rows } = yield* store.list({}, { page: 1, perPage: mostPushMirrors }, { filter })
  const at = yield* now
  yield* Effect.forEach(
    rows,
    ({ asked, dueAt, id, running }) =>
      Effect.orDie(store.patch({}, id, { asked: asked + 1, dueAt: running ? dueAt : at })),
    { discard: true }
  )
  return rows.length
})
