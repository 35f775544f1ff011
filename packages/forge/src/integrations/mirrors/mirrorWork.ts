import { now, timeIn } from "@slipway/domain"
import type { Task } from "@slipway/domain/forge/background"
import { type Mirror, mirrors } from "@slipway/domain/forge/integrations"
import { Duration, Effect } from "effect"
import { type LeasedKind, runDue } from "./leases.ts"
import { synchronize } from "./synchronize.ts"

/** The retry delay after a failed update, in seconds. */
const retry = 3_600

/** Returns the seconds until the next update of a mirror; undefined if the mirror is updated only on request. */
const wait = ({ interval, onCommit, oneTime }: Mirror, failed: boolean): number | undefined => {
  if (!failed) return interval === 0 || oneTime ? undefined : interval
  if (interval === 0) return onCommit || oneTime ? retry : undefined
  return Math.min(interval, retry)
}

/** The work type for the lease worker that updates due mirrors. */
export const mirrorWork = {
  name: "mirror",
  due: (before: string, limit: number) =>
    Effect.gen(function* () {
      const page = { page: 1, perPage: limit }
      const { rows } = yield* (yield* mirrors.store).list({}, page, { order: "due", filter: { dueAt: { before } } })
      return rows
    }),
  lock: (id: number) => Effect.flatMap(mirrors.store, (store) => store.lock({}, id)),
  patch: (id: number, change: Partial<Mirror>) =>
    Effect.flatMap(mirrors.store, (store) => Effect.orDie(store.patch({}, id, change))),
  perform: (mirror: Mirror) =>
    Effect.gen(function* () {
      const { failed, message } = yield* synchronize(mirror)
      const seconds = wait(mirror, failed)
      return {
        lastError: message,
        ...(failed ? {} : { syncedAt: yield* now }),
        dueAt: seconds === undefined ? null : yield* timeIn(Duration.seconds(seconds))
      }
    })
}

/** The services that mirror updates need. */
export type MirrorNeeds = Effect.Services<ReturnType<typeof mirrorWork.perform> | typeof mirrors.store>

/** Checks at compile time that the mirror updates implement the workers' interface. */
export const mirrorKind: LeasedKind<Mirror, MirrorNeeds> = mirrorWork

/** The scheduled task that updates all due mirrors; runs every 10 minutes, in addition to the polling worker. */
export const mirrorUpdate = {
  name: "update_mirrors",
  schedule: "*/10 * * * *",
  run: Effect.asVoid(Effect.repeat(runDue(mirrorKind), { while: (done) => done > 0 }))
} satisfies Task<unknown>
