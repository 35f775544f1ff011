import { Effect, type Scope } from "effect"

/** Reserves a stream of a key, of which `most` may be open; it is released when the scope closes. */
export type StreamLimit = <E>(
  key: string,
  most: number,
  /** Makes the error if the limit of all streams or that of the key is reached. */
  reached: (limit: "all" | "key") => E
) => Effect.Effect<void, E, Scope.Scope>

/** Returns a limit of the open streams of this process (invariant I25). */
export const limitStreams = (inAll: number): StreamLimit => {
  const open = new Map<string, number>()
  let all = 0
  const add = (key: string, n: number) => {
    const left = (open.get(key) ?? 0) + n
    if (left === 0) open.delete(key)
    else open.set(key, left)
    all += n
  }
  return (key, most, reached) =>
    Effect.acquireRelease(
      Effect.suspend(() => {
        if (all >= inAll) return Effect.fail(reached("all"))
        if ((open.get(key) ?? 0) >= most) return Effect.fail(reached("key"))
        return Effect.sync(() => add(key, 1))
      }),
      () => Effect.sync(() => add(key, -1))
    )
}
