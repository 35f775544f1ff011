import { mkdtemp, rm } from "node:fs/promises"
import { createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { EngineUnreachable } from "@slipway/domain/deploy/containers"
import { Effect } from "effect"
import type { Api } from "./client.ts"

const directory = Effect.acquireRelease(
  // Only its owner can enter it.
  Effect.promise(() => mkdtemp(join(tmpdir(), "slipway-engine-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/** Opens a unix socket that forwards to a local or remote container engine, until the scope closes. */
export const openSocketProxy = Effect.fnUntraced(function* ({ stream }: Pick<Api, "stream">) {
  const path = join(yield* directory, "engine.sock")
  const open = new Set<{ readonly destroy: () => void }>()
  const lead = (inside: Socket) => {
    open.add(inside)
    inside.on("error", () => inside.destroy())
    inside.on("close", () => open.delete(inside))
    Effect.runPromise(stream).then(
      (outside) => {
        open.add(outside)
        outside.on("error", () => inside.destroy())
        outside.on("close", () => {
          open.delete(outside)
          inside.destroy()
        })
        inside.on("close", () => outside.destroy())
        inside.pipe(outside)
        outside.pipe(inside)
      },
      () => inside.destroy()
    )
  }
  yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>, EngineUnreachable>((resume) => {
      const server = createServer({ allowHalfOpen: true }, lead)
      server.once("error", ({ message }) => resume(Effect.fail(new EngineUnreachable({ because: message }))))
      server.listen(path, () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        for (const each of open) each.destroy()
      })
  )
  return path
})
