import { elapsedMilliseconds, now } from "@slipway/domain"
import type { SshKey } from "@slipway/domain/forge/identity"
import { SshKeyStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"

const usesAreNotedEvery = 60_000

/** Stores the time at which an SSH key was used, at most once a minute. */
export const recordKeyUse = Effect.fnUntraced(function* (key: SshKey) {
  const at = yield* now
  if (key.usedAt !== null && elapsedMilliseconds(key.usedAt, at) < usesAreNotedEvery) return
  yield* (yield* SshKeyStore).touch(key.id, at)
})
