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
  placesAt,
  send,
  start,
  token
} from "./support.ts"

afterEach(endServices)

const inMemory = { DEPLOY_DATABASE_URL: "memory:", DEPLOY_TOKEN: token }
const embedded = { DEPLOY_DATABASE_URL: "file:data", DEPLOY_TOKEN: token }

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

describe("a start", () => {
  test("on memory: answers, and creates an application", async () => {
    await answers(await start(newDirectory(), inMemory).listening())
  })

  test("on a new embedded directory, and on an old one, answers and keeps what was created", async () => {
    const directory = newDirectory()
    const first = start(directory, embedded)
    const uuid = await answers(await first.listening())
    expect(await first.stop()).toBe(0)
    const second = start(directory, embedded)
    const base = await second.listening()
    expect(second.stdout).not.toContain("Ready for a first application")
    expect(await applicationsAt(base)).toContain(uuid)
    await answers(base)
  })

  test("without a database address keeps its data and its key below .slipway", async () => {
    const directory = newDirectory()
    await answers(await start(directory, { DEPLOY_TOKEN: token }).listening())
    expect(statSync(join(directory, ".slipway", "deploy", "postgres")).isDirectory()).toBe(true)
    expect(statSync(join(directory, ".slipway", "deploy.key")).mode & 0o777).toBe(0o600)
  })

  test("with DATABASE_URL alone takes a sub-directory of its own", async () => {
    const directory = newDirectory()
    await start(directory, { DATABASE_URL: "file:data", DEPLOY_TOKEN: token }).listening()
    expect(statSync(join(directory, "data", "deploy", "postgres")).isDirectory()).toBe(true)
  })

  onServer("on a PostgreSQL server", () => {
    test("answers, and keeps what was created in the schema `deploy`", async () => {
      const settings = { DATABASE_URL: await newDatabase(), DEPLOY_TOKEN: token }
      const directory = newDirectory()
      const first = start(directory, settings)
      const uuid = await answers(await first.listening())
      expect(await first.stop()).toBe(0)
      expect(await applicationsAt(await start(directory, settings).listening())).toContain(uuid)
    })
  })
})

describe("a first start", () => {
  const printedToken = (stdout: string) => /\n {2}(\d+\|\w+)\n/.exec(stdout)?.[1] ?? ""

  test("prints a token that it made up, once, and a curl line that works as it stands", async () => {
    const directory = newDirectory()
    const settings = { DEPLOY_DATABASE_URL: "file:data" }
    const service = start(directory, settings)
    const base = await service.listening()
    const [line] = await service.said(/^ {2}curl [\s\S]*?'$/m)
    const answer = execFileSync("sh", ["-c", `${line} --silent --write-out ' %{http_code}'`], { encoding: "utf8" })
    expect(answer).toMatch(/^\{"uuid":"[a-z0-9]{24}"\} 201$/)
    const made = printedToken(service.stdout)
    expect((await send("GET", `${base}/api/v1/token`, undefined, made)).status).toBe(200)
    await service.stop()
    const again = start(directory, settings)
    const later = await again.listening()
    expect(again.stdout).not.toContain("token")
    expect((await send("GET", `${later}/api/v1/token`, undefined, made)).status).toBe(200)
  })

  test("with DEPLOY_TOKEN prints a curl line that works where the variable is set, and never the token", async () => {
    const service = start(newDirectory(), inMemory)
    const [line] = await service.said(/^ {2}curl [\s\S]*?'$/m)
    const shell = ["-c", `${line} --silent --write-out ' %{http_code}'`]
    const answer = execFileSync("sh", shell, { encoding: "utf8", env: { ...process.env, DEPLOY_TOKEN: token } })
    expect(answer).toMatch(/ 201$/)
    expect(service.stdout + service.stderr).not.toContain(token)
  })

  test("issue 11, number 25: that can't listen makes no token, and the next one shows it", async () => {
    const directory = newDirectory()
    const service = start(directory, { DEPLOY_DATABASE_URL: "file:data", HOST: "192.0.2.1" })
    expect([await service.ended, service.stdout]).toEqual([1, ""])
    const next = start(directory, { DEPLOY_DATABASE_URL: "file:data" })
    await next.listening()
    expect(printedToken(next.stdout)).not.toBe("")
    await next.stop()
  })

  test("issue 11, number 25: a start with another DEPLOY_TOKEN replaces a root token that is lost", async () => {
    const directory = newDirectory()
    for (const chosen of ["first-choice", "second-choice"]) {
      const service = start(directory, { ...embedded, DEPLOY_TOKEN: chosen })
      const { project_uuid } = await placesAt(await service.listening(), chosen)
      expect(project_uuid).toBeTypeOf("string")
      await service.stop()
    }
  })
})

describe("a start that fails exits 1, and says why in one line", () => {
  const failing = async (settings: Readonly<Record<string, string>>, directory = newDirectory()) => {
    const service = start(directory, settings)
    expect([await service.ended, service.stdout]).toEqual([1, ""])
    expect(service.stderr).toMatch(/^slipway deploy: .+\n$/)
    return service.stderr
  }

  test("the directory is another process's", async () => {
    const directory = newDirectory()
    await start(directory, embedded).listening()
    expect(await failing(embedded, directory)).toContain("directory `data` is in use by another process")
  })

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

  test("no PostgreSQL answers, and the password stays unsaid", async () => {
    const said = await failing({ DEPLOY_DATABASE_URL: "postgres://user:hunter2@127.0.0.1:1/x" })
    expect(said).toContain("`127.0.0.1:1/x` can't be used")
    expect(said).not.toContain("hunter2")
  })
})

describe("the encryption key", () => {
  test("of another database is refused, and the right one still opens it", async () => {
    const directory = newDirectory()
    const settings = { ...embedded, DEPLOY_ENCRYPTION_KEY_FILE: "key" }
    const first = start(directory, settings)
    await answers(await first.listening())
    await first.stop()
    const right = readFileSync(join(directory, "key"), "utf8")
    writeFileSync(join(directory, "key"), `${Buffer.alloc(32, 1).toString("base64")}\n`)
    const second = start(directory, settings)
    expect([await second.ended, second.stdout]).toEqual([1, ""])
    expect(second.stderr).toMatch(/^slipway deploy: the database file:data was sealed with another encryption key.*\n$/)
    expect(second.stderr).toContain("`key`")
    const third = start(directory, { ...embedded, DEPLOY_ENCRYPTION_KEY: right.trim() })
    await answers(await third.listening())
  })
})
