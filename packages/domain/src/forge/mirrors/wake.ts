import { Effect } from "effect"
import type { FilterOf } from "../../owned/Owned.ts"
import { now } from "../../Time.ts"
import { mirrors, mostPushMirrors } from "./Mirror.ts"

/** Makes the mirrors of one repository due in the running transaction; those that somebody is at, afterwards. They are few. */
export const wakeAll = Effect.fnUntraced(function* (filter: FilterOf<typeof mirrors>) {
  const store = yield* mirrors.store
  const { rows } = yield* store.list({}, { page: 1, perPage: mostPushMirrors }, { filter })
  const at = yield* now
  const changes = rows.map(({ asked, dueAt, id, running }) => ({
    id,
    change: { asked: asked + 1, dueAt: running ? dueAt : at }
  }))
  yield* Effect.orDie(store.patchMany({}, changes))
  return rows.length
})
