import { AccessSubjects } from "@slipway/forge/explanation"
import { Context, Effect, Layer, type Scope } from "effect"

/** Limits the number of open streams of access decisions of this process. */
export class AccessStreams extends Context.Service<
  AccessStreams,
  {
    /** Reserves a stream; it is released when the scope closes. */
    readonly enter: Effect.Effect<void, AccessSubjects.TooManyAccessStreams, Scope.Scope>
  }
>()("@slipway/http/forge/AccessStreams") {
  static readonly layer = Layer.sync(AccessStreams, () => {
    let open = 0
    const take = Effect.suspend(() => {
      if (open >= AccessSubjects.mostStreams) {
        return new AccessSubjects.TooManyAccessStreams({ most: AccessSubjects.mostStreams })
      }
      open += 1
      return Effect.void
    })
    const release = Effect.sync(() => {
      open -= 1
    })
    return { enter: Effect.acquireRelease(take, () => release) }
  })
}
