import { execFileSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { afterEach, describe, expect, it, vi } from "@effect/vitest"
import { Database, type DatabaseAddress, dumpDatabase } from "@slipway/sql"
import { migrations as deployMigrations } from "@slipway/sql/deploy"
import { migrations as forgeMigrations } from "@slipway/sql/forge"
import { postgresMissing, testDatabase } from "@slipway/sql/testing"
import { ConfigProvider, Effect, Redacted } from "effect"
import { Command } from "effect/cli"
import { SqlClient } from "effect/sql/SqlClient"
import { TestConsole } from "effect/testing"
import { slipway } from "../src/slipway.ts"

const directories: Array<string> = []
const newDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "slipway-cli-"))
  directories.push(directory)
  return directory
}
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
})

const run = Command.runWith(slipway, { version: "0.0.0", renderErrors: false })

/** Runs a command with settings, and returns its output or its error. */
const said = (env: Record<string, string>, ...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const wrong = yield* run(args).pipe(
      Effect.as(undefined),
      Effect.catch((error) => Effect.succeed("userMessage" in error ? String(error.userMessage) : error.message))
    )
    return wrong ?? (yield* TestConsole.logLines).join("\n")
  }).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env })),
    Effect.provide([NodeServices.layer, TestConsole.layer])
  )

const linesOf = (address: DatabaseAddress.SqlAddress, schema: string) =>
  Effect.gen(function* () {
    let text = ""
    yield* dumpDatabase(address, schema, (lines) =>
      Effect.sync(() => {
        text += lines
      })
    )
    return text.trimEnd().split("\n").sort()
  })

const git = (...args: ReadonlyArray<string>) => execFileSync("git", args, { encoding: "utf8" })

const settingsIn = (
  directory: string,
  { forge, deploy }: Record<"deploy" | "forge", DatabaseAddress.ServerAddress>
) => ({
  FORGE_DATABASE_URL: Redacted.value(forge.url),
  FORGE_REPOSITORIES: `${directory}/git`,
  FORGE_BLOBS: `file:${directory}/blobs`,
  FORGE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  FORGE_SSH_HOST_KEY: `${directory}/ssh.key`,
  DEPLOY_DATABASE_URL: Redacted.value(deploy.url),
  DEPLOY_ENCRYPTION_KEY_FILE: `${directory}/deploy.key`
})

const repository = "repositories/0/1.git"
const blob = "attachments/ab/cd/one"

const plant = (directory: string) => {
  const folder = join(directory, "git", repository)
  git("init", "--quiet", "--bare", "--initial-branch=main", folder)
  mkdirSync(join(directory, "git", "making"))
  const stream =
    "commit refs/heads/topic#1/ä\ncommitter A <a@example.com> 0 +0000\ndata 1\nm\nM 644 inline f\ndata 4\ntext\n"
  execFileSync("git", [`--git-dir=${folder}`, "fast-import", "--quiet"], { input: stream })
  git(`--git-dir=${folder}`, "update-ref", "refs/heads/main", "refs/heads/topic#1/ä")
  for (const [path, text] of [
    [`blobs/${blob}`, "bytes"],
    ["blobs/incoming/half", "not whole"],
    ["deploy.key", "a key\n"],
    ["ssh.key", "another\n"]
  ] as const) {
    mkdirSync(join(directory, path, ".."), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
}

describe.skipIf(postgresMissing() !== undefined)("slipway backup and restore", () => {
  it.live("restore both services exactly, from an archive or a directory that was written while they ran", () =>
    Effect.gen(function* () {
      const [from, to] = [newDirectory(), newDirectory()]
      const source = { forge: yield* testDatabase, deploy: yield* testDatabase }
      const target = { forge: yield* testDatabase, deploy: yield* testDatabase }
      const env = settingsIn(from, source)
      plant(from)
      const archive = join(newDirectory(), "all.tar")
      const folder = join(newDirectory(), "deploy")
      yield* Effect.flatMap(
        SqlClient,
        (sql) => sql`
          INSERT INTO project (uuid, name, name_key, description, created_at, updated_at)
          VALUES ('p', 'shop', 'shop', '', now(), now())`
      ).pipe(Effect.provide(Database.layer(source.deploy, { schema: "deploy", migrations: deployMigrations })))
      yield* Effect.gen(function* () {
        yield* said(env, "forge", "admin", "user", "create", "ann", "--email", "ann@example.com")
        const told: Array<string> = []
        const stderr = vi.spyOn(process.stderr, "write").mockImplementation((text) => told.push(String(text)) > 0)
        const made = yield* Effect.ensuring(
          said(env, "backup", archive),
          Effect.sync(() => stderr.mockRestore())
        )
        // Rows are JSON strings; other lines describe the dump and its tables.
        const counted = told.flatMap((text) => /^forge: (\d+) rows\n$/.exec(text)?.[1] ?? [])
        const rows = (yield* linesOf(source.forge, "forge")).filter((line) => line.startsWith('"'))
        expect(Number(counted.at(-1))).toBe(rows.length)
        expect(made).toMatch(/all\.tar: \d+ files/)
        expect(made).toContain("the encryption key of forge: the variable FORGE_ENCRYPTION_KEY")
        expect(made).toContain(`the encryption key of deploy: ${from}/deploy.key`)
        expect(yield* said(env, "backup", folder, "--service", "deploy", "--with-keys")).not.toContain("deploy.key")
        expect(yield* said(env, "backup", folder)).toBe(`${folder} already exists`)
      }).pipe(
        // A running service has it open.
        Effect.provide(Database.layer(source.forge, { schema: "forge", migrations: forgeMigrations }))
      )
      expect(yield* said(env, "restore", archive)).toContain("already has files")

      const place = settingsIn(to, target)
      const restoring: Array<string> = []
      const stderr = vi.spyOn(process.stderr, "write").mockImplementation((text) => restoring.push(String(text)) > 0)
      const restored = yield* Effect.ensuring(
        said(place, "restore", archive, "--service", "forge"),
        Effect.sync(() => stderr.mockRestore())
      )
      expect(restored).toBe("restored forge")
      const countedAgain = restoring.flatMap((text) => /^forge: (\d+) rows in /.exec(text)?.[1] ?? [])
      const dumped = (yield* linesOf(target.forge, "forge")).filter((line) => line.startsWith('"'))
      expect(countedAgain).toEqual([String(dumped.length)])
      const rows = yield* linesOf(target.forge, "forge")
      expect(rows.some((row) => row.includes("ann@example.com"))).toBe(true)
      expect(rows).toEqual(yield* linesOf(source.forge, "forge"))
      const refs = (root: string) => git(`--git-dir=${join(root, "git", repository)}`, "for-each-ref")
      expect(refs(to)).toBe(refs(from))
      expect(git(`--git-dir=${join(to, "git", repository)}`, "show", "main:f")).toBe("text")
      expect(readFileSync(join(to, "blobs", blob), "utf8")).toBe("bytes")
      expect(existsSync(join(to, "blobs/incoming"))).toBe(false)

      expect(yield* said(place, "restore", folder, "--service", "deploy")).toBe("restored deploy")
      expect(readFileSync(join(to, "deploy.key"), "utf8")).toBe("a key\n")
      const projects = yield* linesOf(target.deploy, "deploy")
      expect(projects.some((row) => row.includes("shop"))).toBe(true)
      expect(projects).toEqual(yield* linesOf(source.deploy, "deploy"))

      const half = { directory: newDirectory(), forge: yield* testDatabase }
      const again = settingsIn(half.directory, { ...target, forge: half.forge })
      expect(yield* said(again, "restore", archive)).toContain("has a schema `deploy` already")
      expect(readdirSync(half.directory, { recursive: true })).toEqual(["git"])
      expect(yield* linesOf(target.deploy, "deploy")).toEqual(projects)
      expect(yield* said(again, "restore", archive, "--service", "forge")).toBe("restored forge")

      expect(yield* said(env, "restore", archive, "--check")).toBe(`${archive} is complete`)
      writeFileSync(join(folder, "deploy/keys/encryption.key"), "b key\n")
      expect(yield* said(env, "restore", folder, "--check")).toBe(
        "deploy/keys/encryption.key does not match its checksum"
      )
      truncateSync(archive, 20_000)
      expect(yield* said(env, "restore", archive, "--check")).toMatch(/breaks off|truncated|unexpected/i)
    })
  )
})
