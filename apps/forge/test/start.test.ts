import { statSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { ServiceProcesses } from "@slipway/http/testing"
import { postgresMissing, testDatabase } from "@slipway/sql/testing"
import { Effect, Redacted } from "effect"
import { afterEach, test } from "vitest"

const mainOf = (app: string) => join(import.meta.dirname, "..", "..", app, "src", "main.ts")
const forge = new ServiceProcesses(mainOf("forge"))
const deploy = new ServiceProcesses(mainOf("deploy"))
afterEach(async () => {
  await forge.end()
  await deploy.end()
})

const answers = async (base: string) => {
  for (const path of ["/healthz", "/readyz"]) {
    const response = await fetch(base + path)
    expect([path, response.status, await response.json()]).toEqual([path, 200, { status: "ok" }])
  }
}

describe("a start", () => {
  test("on memory: answers", async () => {
    const base = await forge.start(forge.directory(), { FORGE_DATABASE_URL: "memory:" }).listening()
    await answers(base)
    const version = await fetch(`${base}/api/v1/version`)
    expect([version.status, await version.json()]).toEqual([200, { version: "0.1.0" }])
    const missing = await fetch(`${base}/api/v1/nothing`)
    expect([missing.status, await missing.json()]).toEqual([404, { message: "not found", url: "/docs" }])
    const wrong = await fetch(`${base}/api/v1/version`, { method: "DELETE" })
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD"])
    expect(await wrong.json()).toEqual({ message: "method not allowed", url: "/docs" })
  })

  test("on a new embedded directory and on an old one: answers, and ends with 0", async () => {
    const directory = forge.directory()
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      const service = forge.start(directory)
      await answers(await service.listening())
      expect([await service.stop(signal), service.stderr]).toEqual([0, ""])
    }
    expect(statSync(join(directory, ".slipway", "forge", "postgres")).isDirectory()).toBe(true)
  })

  test("beside the other service with one DATABASE_URL for both: neither is in the other's way", async () => {
    const directory = forge.directory()
    const settings = { DATABASE_URL: "file:data" }
    const both = [forge.start(directory, settings), deploy.start(directory, settings)]
    for (const service of both) await answers(await service.listening())
    for (const name of ["forge", "deploy"]) {
      expect(statSync(join(directory, "data", name, "postgres")).isDirectory()).toBe(true)
    }
  })

  test("of a second process on one directory exits 1, and says why in one line", async () => {
    const directory = forge.directory()
    await forge.start(directory, { FORGE_DATABASE_URL: "file:data" }).listening()
    const second = forge.start(directory, { FORGE_DATABASE_URL: "file:data" })
    expect([await second.ended, second.stdout]).toEqual([1, ""])
    expect(second.stderr).toMatch(/^slipway forge: the database directory `data` is in use by another process.*\n$/)
  })

  test.for([
    ["FORGE_PORT", "http"],
    ["FORGE_DATABASE_URL", "mysql://user:hunter2@db/x"]
  ] as const)("with %s=%s exits 1 and names the variable", async ([name, value]) => {
    const service = forge.start(forge.directory(), { [name]: value })
    expect([await service.ended, service.stdout]).toEqual([1, ""])
    expect(service.stderr).toMatch(new RegExp(`^slipway forge: .*\`${name}\`.*\\n$`))
    expect(service.stderr).not.toContain("hunter2")
  })
})

describe.skipIf(postgresMissing() !== undefined)("on a PostgreSQL server", () => {
  it.live("both services share a database, each in a schema of its own", () =>
    Effect.gen(function* () {
      const settings = { DATABASE_URL: Redacted.value((yield* testDatabase).url) }
      yield* Effect.promise(async () => {
        const directory = forge.directory()
        const both = [forge.start(directory, settings), deploy.start(directory, settings)]
        for (const service of both) await answers(await service.listening())
        // The database is dropped at the end of the test, before the hooks that stop what still runs.
        for (const service of both) expect(await service.stop()).toBe(0)
      })
    })
  )
})
