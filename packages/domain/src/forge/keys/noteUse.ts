import { DateTime, Effect } from "effect"
import { now } from "../../Time.ts"
import type { SshKey } from "./SshKey.ts"
import { SshKeyStore } from "./SshKeyStore.ts"

const usesAreNotedEvery = 60_000

/** Notes that a key was used, at most once a minute. */
export const noteUse = Effect.fnUntraced(function* (key: SshKey) {
  const at = yield* now
  const last = key.usedAt === null ? undefined : DateTime.toEpochMillis(DateTime.makeUnsafe(key.usedAt))
  if (last !== undefined && DateTime.toEpochMillis(DateTime.makeUnsafe(at)) - last < usesAreNotedEvery) return
  yield* (yield* SshKeyStore).touch(key.id, at)
})
