import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { mostStreams, TooManyStreams } from "@slipway/domain/deploy/containers"
import { Context, Effect, Layer, type Scope } from "effect"

/** Limits the number of open log streams of this process (invariant I25). */
export class LogStreams extends Context.Service<
  LogStreams,
  {
    /** Reserves a stream of an application; it is released when the scope closes. */
    readonly enter: (application: ApplicationUuid) => Effect.Effect<void, TooManyStreams, Scope.Scope>
  }
>()("@slipway/http/deploy/LogStreams") {
  static readonly layer = Layer.sync(LogStreams, () => {
    const open = new Map<ApplicationUuid, number>()
    let all = 0
    const add = (application: ApplicationUuid, n: number) => {
      const left = (open.get(application) ?? 0) + n
      if (left === 0) open.delete(application)
      else open.set(application, left)
      all += n
    }
    const take = (application: ApplicationUuid) =>
      Effect.suspend(() => {
        if (all >= mostStreams.inAll) return new TooManyStreams({ most: mostStreams.inAll, of: "process" })
        if ((open.get(application) ?? 0) >= mostStreams.ofApplication) {
          return new TooManyStreams({ most: mostStreams.ofApplication, of: "application" })
        }
        return Effect.sync(() => add(application, 1))
      })
    return {
      enter: (application) => Effect.acquireRelease(take(application), () => Effect.sync(() => add(application, -1)))
    }
  })
}
