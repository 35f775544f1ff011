import { Effect } from "effect"
import { elapsed, now } from "../../Time.ts"
import type { SshKey } from "./SshKey.ts"
import { SshKeyStore } from "./SshKeyStore.ts"

const usesAreNotedEvery = 60_000

/** Notes that a key was used, at most once a minute. */
export const noteUse = Effect.fnUntraced(function* (key: SshKey) {
  const at = yield* now
  if (key.usedAt !== null && elapsed(key.usedAt, at) < usesAreNotedEvery) return
  yield* (yield* SshKeyStore).touch(key.id, at)
})
