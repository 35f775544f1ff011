import { Clock, DateTime, Effect } from "effect"
import { now } from "../../Time.ts"
import type { Deletion } from "../deletions/Deletion.ts"
import { DeletionStore } from "../deletions/DeletionStore.ts"
import { accessTo } from "../engine/accessTo.ts"
import { ContainerEngine } from "../engine/ContainerEngine.ts"
import { imageOwner } from "../engine/names.ts"
import { Proxy } from "../proxy/Proxy.ts"
import { ServerStore } from "../servers/ServerStore.ts"

/** Removes what an application left on its server, as far as its deletion says, notes what goes, and returns what stays. */
const cleanUp = Effect.fnUntraced(function* (deletion: Deletion, removed: Array<string>) {
  const application = deletion.applicationUuid
  const server = yield* (yield* ServerStore).find(deletion.serverUuid)
  if (server === undefined) return ["everything on the server, which was deleted"]
  const access = yield* accessTo(server)
  const engine = yield* (yield* ContainerEngine).open(access)
  const proxy = yield* (yield* Proxy).open(access)
  const left: Array<string> = []
  const note = (kind: string, name: string, gone: boolean) => void (gone ? removed : left).push(`${kind} ${name}`)
  // Routes first, so that nobody is led to what goes; a domain that nobody holds may become another's.
  if (yield* proxy.remove(application)) note("routes", application, true)
  for (const { name } of yield* engine.list({ application })) {
    const ref = { application, name }
    yield* Effect.catchTag(engine.stop(ref, 5), "ContainerNotFound", () => Effect.void)
    yield* engine.remove(ref)
    note("container", name, true)
  }
  for (const image of yield* engine.listImages(application)) {
    for (const tag of image.tags) {
      const owner = imageOwner(tag)
      if (owner?.application !== application) continue
      const gone =
        deletion.dockerCleanup &&
        (yield* Effect.catchTag(engine.removeImage(owner), "StillUsed", () => Effect.succeed(false)))
      note("image", tag, gone)
    }
  }
  for (const { name } of yield* engine.listVolumes(application)) {
    const gone =
      deletion.deleteVolumes &&
      (yield* Effect.catchTag(engine.removeVolume(application, name), "StillUsed", () => Effect.succeed(false)))
    note("volume", name, gone)
  }
  for (const { name } of yield* engine.listNetworks(application)) {
    const gone =
      deletion.deleteConnectedNetworks &&
      (yield* Effect.catchTag(engine.removeNetwork(application, name), "StillUsed", () => Effect.succeed(false)))
    note("network", name, gone)
  }
  return left
}, Effect.scoped)

const mostWait = 600

/** Runs deletions that are due, one after the other; one whose server doesn't answer is tried again later and later. */
export const clean = Effect.fnUntraced(function* (worker: string, lease: number) {
  const store = yield* DeletionStore
  const at = yield* now
  const later = (seconds: number) =>
    Effect.map(Clock.currentTimeMillis, (time) => DateTime.formatIso(DateTime.makeUnsafe(time + seconds * 1000)))
  const taken = yield* store.claim({ worker, at, until: yield* later(lease * 4) })
  if (taken === undefined) return
  const removed = [...taken.removed]
  const done = yield* cleanUp(taken, removed).pipe(
    Effect.timeout(lease * 3 * 1000),
    Effect.map((left) => ({
      ...taken,
      status: "finished" as const,
      left,
      reason: null,
      leaseUntil: null
    })),
    Effect.catch((error) =>
      Effect.map(later(Math.min(2 ** taken.attempts, mostWait)), (leaseUntil) => ({
        ...taken,
        status: "queued" as const,
        reason: "because" in error ? error.because : error._tag,
        leaseUntil
      }))
    )
  )
  // What went before the server fell silent is gone for the next attempt, which can't tell of it any more.
  yield* store.save({ ...done, removed: [...new Set(removed)], updatedAt: yield* now }, worker)
})
