import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Redacted, Scope } from "effect"
import type { ServerAddress } from "../database/DatabaseAddress.ts"
import { type PostgresUnavailable, postgresMissing, startPostgres } from "./PostgresServer.ts"
import { SHARED_SERVER } from "./sharedPostgres.ts"

/**
 * Shares one temporary PostgreSQL server between all test files of a run; the first test file that needs it starts it.
 * For vitest's `globalSetup`.
 *
 * Test files run in separate processes and request the address of the server at a socket. If `CI` is set, a machine
 * without PostgreSQL is an error, so that these tests cannot be skipped silently.
 */
export const setup = async (): Promise<() => Promise<void>> => {
  const missing = postgresMissing()
  if (missing !== undefined) {
    if (process.env.CI) throw new Error(missing)
    process.emitWarning(`the tests on a PostgreSQL server are skipped: ${missing}`)
    return async () => {}
  }
  const scope = Scope.makeUnsafe()
  let address: Promise<Exit.Exit<ServerAddress, PostgresUnavailable>> | undefined
  const directory = mkdtempSync(join(tmpdir(), "slipway-tests-"))
  const broker = createServer((socket) => {
    address ??= Effect.runPromiseExit(Scope.provide(startPostgres(), scope))
    address.then((exit) =>
      socket.end(
        JSON.stringify(
          Exit.isSuccess(exit)
            ? { url: Redacted.value(exit.value.url), location: exit.value.location }
            : { problem: String(exit.cause) }
        )
      )
    )
    socket.on("error", () => {})
  })
  const path = join(directory, "broker")
  await new Promise<void>((resolve) => broker.listen(path, resolve))
  process.env[SHARED_SERVER] = path
  return async () => {
    delete process.env[SHARED_SERVER]
    await new Promise((resolve) => broker.close(resolve))
    await address
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(directory, { recursive: true, force: true })
  }
}
