import type { UserId } from "@slipway/domain/forge/identity"
import { AccessSubjects } from "@slipway/forge/explanation"
import { Context, type Effect, Layer, type Scope } from "effect"
import { limitStreams } from "../../wire/streamLimit.ts"

/** Limits the number of open streams of access decisions of this process, in total and for each user. */
export class AccessStreams extends Context.Service<
  AccessStreams,
  {
    /** Reserves a stream of a user; it is released when the scope closes. */
    readonly enter: (user: UserId | undefined) => Effect.Effect<void, AccessSubjects.TooManyAccessStreams, Scope.Scope>
  }
>()("@slipway/http/forge/AccessStreams") {
  static readonly layer = Layer.sync(AccessStreams, () => {
    const { inAll, user: ofUser } = AccessSubjects.mostStreams
    const limit = limitStreams(inAll)
    return {
      enter: (user) =>
        limit(`${user}`, ofUser, (reached) =>
          reached === "all"
            ? new AccessSubjects.TooManyAccessStreams({ most: inAll, of: "process" })
            : new AccessSubjects.TooManyAccessStreams({ most: ofUser, of: "user" })
        )
    }
  })
}
