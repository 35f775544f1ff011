import { logOutages } from "@slipway/domain"
import { isPublicHost } from "@slipway/domain/deploy/containers"
import { type ConnectedForge, ForgeAppStore } from "@slipway/domain/deploy/infrastructure"
import { Clock, Duration, Effect } from "effect"
import { rotateAfterToken } from "./ClientRotations.ts"
import { check } from "./ForgeConnections.ts"
import { rotateOld } from "./TokenRotations.ts"

/** The interval between checks of a forge: on the same machine or network, and for all other forges. */
const [nearby, remote] = [Duration.seconds(1), Duration.minutes(1)]

/** The maximum number of checked connections, and the maximum number of concurrent checks. */
const [mostWatched, mostChecks] = [1_000, 8]

/** The delays in milliseconds after a failed rotation, and if the forge does not support rotation. */
const waits = { failed: Duration.toMillis("1 hour"), unsupported: Duration.toMillis("1 day") }

const intervalOf = ({ htmlUrl }: ConnectedForge): number =>
  Duration.toMillis(isPublicHost(new URL(htmlUrl).hostname) ? remote : nearby)

/**
 * Checks the tokens of connected forges until it is interrupted, so that a revoked one shows without a request of a user.
 * Rotates tokens that are old, and then the secrets of OAuth2 clients.
 *
 * Forges on the same machine or network are checked every second, other forges every minute.
 */
export const watchForges = Effect.gen(function* () {
  const store = yield* ForgeAppStore
  const due = new Map<string, number>()
  const rotations = [
    { name: "token", paused: new Map<string, number>(), rotate: rotateOld },
    { name: "client secret", paused: new Map<string, number>(), rotate: rotateAfterToken }
  ]
  const look = Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const forges = yield* store.connected({ limit: mostWatched })
    const present = new Set(forges.map(({ uuid }): string => uuid))
    for (const uuid of due.keys()) if (!present.has(uuid)) due.delete(uuid)
    for (const { paused } of rotations) for (const uuid of paused.keys()) if (!present.has(uuid)) paused.delete(uuid)
    const chosen = forges.filter(({ uuid }) => (due.get(uuid) ?? 0) <= at)
    for (const forge of chosen) due.set(forge.uuid, at + intervalOf(forge))
    yield* Effect.forEach(
      chosen,
      Effect.fnUntraced(function* (forge) {
        yield* Effect.timeoutOption(check(forge), "10 seconds")
        for (const { name, paused, rotate } of rotations) {
          if ((paused.get(forge.uuid) ?? 0) > at) continue
          const wait = yield* rotate(forge).pipe(
            Effect.timeout("30 seconds"),
            Effect.map((isSupported) => (isSupported ? 0 : waits.unsupported)),
            Effect.catch((error) =>
              Effect.as(
                Effect.logWarning(
                  `the ${name} of a forge could not be rotated`,
                  forge.uuid,
                  "because" in error ? error.because : error.message
                ),
                waits.failed
              )
            )
          )
          if (wait > 0) paused.set(forge.uuid, at + wait)
        }
      }),
      { concurrency: mostChecks, discard: true }
    )
  })
  return yield* look.pipe(
    logOutages("checking the connected forges failed"),
    Effect.andThen(Effect.sleep(nearby)),
    Effect.forever
  )
})
