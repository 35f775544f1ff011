import type { PgClient } from "@effect/sql-pg"
import { Effect, Fiber, type Scope } from "effect"

/**
 * The time in milliseconds after which a busy connection is reserved. It doubles with each connection that is already
 * reserved.
 */
const soon = 20
/** The maximum number of times that `soon` is doubled. */
const mostDoubled = 3

/**
 * Prevents statements from waiting behind a slow statement on the same connection.
 *
 * A pool sends up to 32 statements on one connection, which answers them in order, while other connections are idle. So
 * a connection that is still busy after `soon` milliseconds is reserved until it has answered, and later statements use
 * another connection. The last connection stays shared, because waiting is better than failing.
 *
 * A new connection has no cached query plans, so it is slow at first. Therefore the delay grows with each reserved
 * connection. Otherwise one pause of the machine would open all connections, and their planning would use the CPU for
 * longer than the pause.
 */
export const avoidSlowConnections = (
  client: PgClient.PgClient,
  connections: number
): Effect.Effect<PgClient.PgClient, never, Scope.Scope> =>
  Effect.gen(function* () {
    const apart = new Set<Fiber.Fiber<void>>()
    let timer: NodeJS.Timeout | undefined
    let turn: NodeJS.Immediate | undefined
    let isUsed = false
    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => {
        clearTimeout(timer)
        clearImmediate(turn)
        return Fiber.interruptAll(apart)
      })
    )
    const untilAnswered = Effect.ignore(Effect.scoped(client.reserve))
    const look = () => {
      if (apart.size < connections - 1) {
        const waiting = Effect.runFork(untilAnswered)
        if (waiting.pollUnsafe() === undefined) {
          apart.add(waiting)
          waiting.addObserver(() => apart.delete(waiting))
        }
      }
      timer = isUsed ? later() : undefined
      isUsed = false
    }
    // Answers that arrived while this process was paused are read before the check: timers come first in a turn, and
    // immediates last.
    const later = () =>
      setTimeout(
        () => {
          turn = setImmediate(look)
        },
        soon * 2 ** Math.min(apart.size, mostDoubled)
      ).unref()
    // Statements are sent as soon as they are made.
    const using = () => {
      isUsed = true
      timer ??= later()
    }
    const making = (...parts: Parameters<PgClient.PgClient>) => {
      using()
      return client(...parts)
    }
    const unsafe: PgClient.PgClient["unsafe"] = (...parts) => {
      using()
      return client.unsafe(...parts)
    }
    return Object.assign(making, client, { unsafe }) as PgClient.PgClient
  })
