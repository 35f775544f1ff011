import { RepositoryHostKeyStore } from "@slipway/domain/deploy/apps"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { Effect, Schema } from "effect"

/** The error for an address without a stored SSH host key. */
export class HostKeyNotFound extends Schema.TaggedError<HostKeyNotFound>()("HostKeyNotFound", {}) {}

const mostShown = 1_000

/** Lists the SSH host keys of git hosts by address, at most 1,000. */
export const list = Effect.fnUntraced(function* (_: Authorized<"hostKey.read">) {
  return yield* (yield* RepositoryHostKeyStore).list(mostShown)
})

/** Deletes the SSH host key of a git host; the next connection stores the host's current key. */
export const forget = Effect.fnUntraced(function* (_: Authorized<"hostKey.forget">, address: string) {
  const forgotten = yield* (yield* RepositoryHostKeyStore).forget(address)
  if (!forgotten) return yield* new HostKeyNotFound()
})
