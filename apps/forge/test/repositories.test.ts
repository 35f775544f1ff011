import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { ServiceProcesses } from "@slipway/http/testing"
import { postgresMissing, testDatabase } from "@slipway/sql/testing"
import { Effect, Redacted } from "effect"

const forge = new ServiceProcesses(join(import.meta.dirname, "..", "src", "main.ts"))

const password = "correct horse battery"

type Settings = Readonly<Record<string, string>>

/** Runs tests on a server's database, which outlives the services. */
const onServer = (name: string, body: (settings: Settings) => Promise<void>) =>
  it.live(name, () =>
    Effect.flatMap(testDatabase, ({ url }) =>
      Effect.promise(() =>
        body({
          FORGE_DATABASE_URL: Redacted.value(url),
          // The lease in seconds after which another process takes over.
          FORGE_JOB_LEASE: "1",
          FORGE_ADMIN_USERNAME: "ann",
          FORGE_ADMIN_PASSWORD: password
        }).finally(() => forge.end())
      )
    )
  )

const headers = {
  authorization: `Basic ${Buffer.from(`ann:${password}`).toString("base64")}`,
  "content-type": "application/json"
}

const sender = (base: string) => async (method: string, path: string, body?: unknown) => {
  const response = await fetch(`${base}/api/v1${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  return { status: response.status, json: text === "" ? undefined : (JSON.parse(text) as unknown) }
}
type Send = ReturnType<typeof sender>

/** Returns the ids of the git repositories in a directory. */
const kept = (directory: string): ReadonlyArray<number> => {
  const root = join(directory, ".slipway", "forge-repositories", "repositories")
  if (!existsSync(root)) return []
  return readdirSync(root)
    .flatMap((folder) => readdirSync(join(root, folder)))
    .map((name) => Number.parseInt(name, 10))
    .sort((one, other) => one - other)
}

const stored = async (send: Send) => {
  const { json } = await send("GET", "/repos/search?limit=50")
  return (json as { readonly data: ReadonlyArray<{ readonly id: number; readonly name: string }> }).data
}

/** Waits until repositories and git repositories match. */
const settled = async (send: Send, directory: string) => {
  const started = Date.now()
  for (;;) {
    const rows = (await stored(send)).map(({ id }) => id).sort((one, other) => one - other)
    const files = kept(directory)
    if (JSON.stringify(rows) === JSON.stringify(files)) return rows
    if (Date.now() - started > 40_000) expect(files).toEqual(rows)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

describe.skipIf(postgresMissing() !== undefined)("kill -9", () => {
  onServer(
    "during creations and deletions leaves no row without a git repository, and no git repository without a row",
    async (settings) => {
      const directory = forge.directory()
      for (const round of [0, 1]) {
        const service = forge.start(directory, settings)
        const send = sender(await service.listening())
        const making = Array.from({ length: 8 }, (_, n) =>
          send("POST", "/user/repos", { name: `r${round}-${n}`, auto_init: true }).catch(() => undefined)
        )
        const going = (await stored(send)).map(({ name }) =>
          send("DELETE", `/repos/ann/${name}`).catch(() => undefined)
        )
        // First during all requests, then after the first response.
        await (round === 0 ? new Promise((resolve) => setTimeout(resolve, 40)) : Promise.race(making))
        expect(await service.stop("SIGKILL")).toBe("SIGKILL")
        await Promise.all([...making, ...going])
      }
      const service = forge.start(directory, settings)
      const send = sender(await service.listening())
      const alive = await settled(send, directory)
      expect(service.stderr).toBe("")
      expect(alive.length).toBeGreaterThan(0)
    }
  )

  onServer(
    "right after the deletion of an organization's repositories: the next start deletes them all",
    async (settings) => {
      const directory = forge.directory()
      const first = forge.start(directory, settings)
      const send = sender(await first.listening())
      expect((await send("POST", "/orgs", { username: "acme" })).status).toBe(201)
      expect((await send("DELETE", "/orgs/acme/repos")).status).toBe(204)
      await Promise.all(Array.from({ length: 30 }, (_, n) => send("POST", "/orgs/acme/repos", { name: `r${n}` })))
      expect((await send("POST", "/user/repos", { name: "mine" })).status).toBe(201)
      expect((await send("DELETE", "/orgs/acme/repos")).status).toBe(202)
      await first.stop("SIGKILL")
      const second = forge.start(directory, settings)
      const again = sender(await second.listening())
      const started = Date.now()
      while ((await again("GET", "/orgs/acme/repos")).json?.toString() !== "") {
        expect(Date.now() - started).toBeLessThan(40_000)
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      expect(await settled(again, directory)).toHaveLength(1)
      expect((await again("DELETE", "/orgs/acme/repos")).status).toBe(204)
      expect((await again("DELETE", "/orgs/acme")).status).toBe(204)
    }
  )
})
