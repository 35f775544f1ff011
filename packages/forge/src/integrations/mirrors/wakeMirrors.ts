import type { FilterOf } from "@slipway/domain"
import { now } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { mirrors, mostPushMirrors } from "@slipway/domain/forge/integrations"
import { Effect } from "effect"
import type { SettledPush } from "../../base/subscribers/Subscribers.ts"

/** Makes the matching mirrors due in the running transaction; mirrors in progress run again afterwards. */
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

/** Makes the push mirrors of a repository due that are updated after each push. */
export const wakePushMirrors = ({ repositoryId }: SettledPush) =>
  wakeAll({ repositoryId, direction: "push", onCommit: true })

/** Makes all mirrors of a repository due. */
export const wakeMirrors = (repositoryId: RepositoryId) => Effect.asVoid(wakeAll({ repositoryId }))
