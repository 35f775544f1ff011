import { execFileSync } from "node:child_process"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { afterEach, describe, expect, test } from "vitest"
import {
  applicationsAt,
  createAt,
  endServices,
  newDatabase,
  newDirectory,
  onServer,
  send,
  start,
  token
} from "./support.ts"

afterEach(endServices)

const inMemory = { DEPLOY_DATABASE_URL: "memory:", DEPLOY_TOKEN: token }

const printedToken = (stdout: string) => /\n {2}(\d+\|\w+)\n/.exec(stdout)?.[1] ?? ""

const answers = async (base: string) => {
  for (const path of ["/healthz", "/readyz"]) {
    const response = await fetch(base + path)
    expect([path, response.status, await response.json()]).toEqual([path, 200, { status: "ok" }])
  }
  const created = await createAt(base)
  expect(created.status).toBe(201)
  const { uuid } = (await created.json()) as { uuid: string }
  expect(await applicationsAt(base)).toContain(uuid)
  return uuid
}

const tokenStatus = async (base: string, bearer: string) =>
  (await send("GET", `${base}/api/v1/token`, undefined, bearer)).status

const failing = async (settings: Readonly<Record<string, string>>, directory = newDirectory()) => {
  const service = start(directory, settings)
  expect([await service.ended, service.stdout]).toEqual([1, ""])
  expect(service.stderr).toMatch(/^slipway deploy: .+\n$/)
  return service.stderr
}

describe("a start", () => {
  test("in memory prints a curl command that works with DEPLOY_TOKEN set, and never prints the token", async () => {
    const service = start(newDirectory(), inMemory)
    await answers(await service.listening())
    const [line] = await service.said(/^ {2}curl [\s\S]*?'$/m)
    const shell = ["-c", `${line} --silent --write-out ' %{http_code}'`]
    const answer = execFileSync("sh", shell, { encoding: "utf8", env: { ...process.env, DEPLOY_TOKEN: token } })
    expect(answer).toMatch(/ 201$/)
    expect(service.stdout + service.stderr).not.toContain(token)
  })

  test("without settings stores data and key below .slipway, prints a generated token once, and a working curl command", async () => {
    const directory = newDirectory({ withTables: false })
    const service = start(directory)
    const base = await service.listening()
    expect(statSync(join(directory, ".slipway", "deploy", "postgres")).isDirectory()).toBe(true)
    expect(statSync(join(directory, ".slipway", "deploy.key")).mode & 0o777).toBe(0o600)
    const [line] = await service.said(/^ {2}curl [\s\S]*?'$/m)
    const answer = execFileSync("sh", ["-c", `${line} --silent --write-out ' %{http_code}'`], { encoding: "utf8" })
    expect(answer).toMatch(/^\{"uuid":"[a-z0-9]{24}"\} 201$/)
    const made = printedToken(service.stdout)
    expect(await tokenStatus(base, made)).toBe(200)
    expect(await service.stop()).toBe(0)
    const again = start(directory)
    const later = await again.listening()
    expect(again.stdout).not.toContain("token")
    expect(await tokenStatus(later, made)).toBe(200)
  })

  test("fails if another process uses the embedded directory, and with another encryption key; the right key restores access to the data", async () => {
    const directory = newDirectory()
    const settings = { DATABASE_URL: "file:data", DEPLOY_TOKEN: token, DEPLOY_ENCRYPTION_KEY_FILE: "key" }
    const first = start(directory, settings)
    const uuid = await answers(await first.listening())
    // With a shared DATABASE_URL the services use separate directories.
    expect(statSync(join(directory, "data", "deploy", "postgres")).isDirectory()).toBe(true)
    expect(await failing(settings, directory)).toContain("directory `data/deploy` is in use by another process")
    expect(await first.stop()).toBe(0)

    const right = readFileSync(join(directory, "key"), "utf8")
    writeFileSync(join(directory, "key"), `${Buffer.alloc(32, 1).toString("base64")}\n`)
    const said = await failing(settings, directory)
    expect(said).toContain("was encrypted with a key other than")
    expect(said).toContain("`key`")
    const third = start(directory, { ...settings, DEPLOY_ENCRYPTION_KEY_FILE: "", DEPLOY_ENCRYPTION_KEY: right.trim() })
    const base = await third.listening()
    expect(third.stdout).not.toContain("Ready for a first application")
    expect(await applicationsAt(base)).toContain(uuid)
    await answers(base)
  }, 180_000)
})

onServer("a start on a PostgreSQL server", () => {
  test("creates no token if it cannot listen; the next start prints the token", async () => {
    const directory = newDirectory()
    const settings = { DEPLOY_DATABASE_URL: await newDatabase() }
    const service = start(directory, { ...settings, HOST: "192.0.2.1" })
    expect([await service.ended, service.stdout]).toEqual([1, ""])
    const next = start(directory, settings)
    await next.listening()
    expect(printedToken(next.stdout)).not.toBe("")
  })

  test("with another DEPLOY_TOKEN replaces a lost root token, and keeps the data in the schema `deploy`", async () => {
    const directory = newDirectory()
    const settings = { DATABASE_URL: await newDatabase() }
    const first = start(directory, { ...settings, DEPLOY_TOKEN: "first-choice" })
    expect(await tokenStatus(await first.listening(), "first-choice")).toBe(200)
    expect(await first.stop()).toBe(0)
    const second = start(directory, { ...settings, DEPLOY_TOKEN: token })
    const uuid = await answers(await second.listening())
    expect(await second.stop()).toBe(0)
    expect(await applicationsAt(await start(directory, { ...settings, DEPLOY_TOKEN: token }).listening())).toContain(
      uuid
    )
  }, 180_000)
})

describe("a start exits 1 and prints the reason in one line if", () => {
  test("the port is in use", async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as { port: number }
    const said = await failing({ ...inMemory, DEPLOY_PORT: String(port) })
    expect(said).toContain(`port ${port} on 127.0.0.1 is in use`)
    expect(said).toContain("`DEPLOY_PORT`")
    await new Promise((resolve) => server.close(resolve))
  })

  test("DEPLOY_PORT is http", async () => {
    expect(await failing({ ...inMemory, DEPLOY_PORT: "http" })).toContain("`DEPLOY_PORT`")
  })

  test("no PostgreSQL answers, and the password is not printed", async () => {
    const said = await failing({ DEPLOY_DATABASE_URL: "postgres://user:hunter2@127.0.0.1:1/x" })
    expect(said).toContain("`127.0.0.1:1/x` cannot be used")
    expect(said).not.toContain("hunter2")
  })
})
