import type { UserId } from "@slipway/domain/forge/identity"
import { AccessSubjects } from "@slipway/forge/explanation"
import { Context, Effect, Layer, type Scope } from "effect"

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
    const open = new Map<UserId | undefined, number>()
    let all = 0
    const add = (user: UserId | undefined, n: number) => {
      const left = (open.get(user) ?? 0) + n
      if (left === 0) open.delete(user)
      else open.set(user, left)
      all += n
    }
    const take = (user: UserId | undefined) =>
      Effect.suspend(() => {
        if (all >= inAll) return new AccessSubjects.TooManyAccessStreams({ most: inAll, of: "process" })
        if ((open.get(user) ?? 0) >= ofUser)
          return new AccessSubjects.TooManyAccessStreams({ most: ofUser, of: "user" })
        return Effect.sync(() => add(user, 1))
      })
    return { enter: (user) => Effect.acquireRelease(take(user), () => Effect.sync(() => add(user, -1))) }
  })
}
