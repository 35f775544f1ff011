import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { GitAnswer, GitRequest, ObjectFormat } from "@slipway/domain/forge/code"
import { Clock, Duration, Effect, Stream } from "effect"
import { objectFormatOf } from "../folders.ts"

/** How long git's capabilities are cached; limited because git may be updated. */
const lasting = Duration.minutes(1)

/**
 * Makes a cache of git's capability list for protocol version 2, so that most requests start no process.
 *
 * The list depends only on the object format of the repository.
 */
export const makeCapabilities = () => {
  const cache = new Map<ObjectFormat, { readonly pieces: ReadonlyArray<Uint8Array>; readonly until: number }>()
  return Effect.fnUntraced(function* <E, R>(
    { exchange, protocol, service }: GitRequest,
    folder: string,
    serve: Effect.Effect<GitAnswer, E, R>
  ) {
    if (exchange !== "advertise" || service !== "upload-pack" || protocol !== "version=2") return yield* serve
    const config = yield* Effect.promise(() => readFile(join(folder, "config"), "utf8").catch(() => undefined))
    if (config === undefined) return yield* serve
    const format = objectFormatOf(config)
    const now = yield* Clock.currentTimeMillis
    const known = cache.get(format)
    if (known !== undefined && now < known.until) {
      const output = Stream.fromIterable(known.pieces)
      return { output, said: Stream.empty, exitCode: Effect.succeed(0) } satisfies GitAnswer
    }
    const answer = yield* serve
    const pieces: Array<Uint8Array> = []
    const keep = Effect.map(answer.exitCode, (code) => {
      if (code === 0) cache.set(format, { pieces, until: now + Duration.toMillis(lasting) })
    })
    const output = answer.output.pipe(
      Stream.tap((piece) => Effect.sync(() => pieces.push(piece))),
      Stream.concat(Stream.drain(Stream.fromEffect(keep)))
    )
    return { ...answer, output } satisfies GitAnswer
  })
}
