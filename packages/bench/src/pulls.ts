// Measures pull requests of the real process on a PostgreSQL server: a page of many, one with many files, the cost of a
// push to the base of many open ones, and successive merges. The first argument is the number of closed ones in the
// repository. Exits with code 1 when the push waits for the pull requests.
import { spawnSync } from "node:child_process"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { Database } from "@slipway/sql"
import { migrations } from "@slipway/sql/forge"
import { startPostgres } from "@slipway/sql/testing"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { start, withDirectory } from "./start/service.ts"
import { median } from "./support/numbers.ts"
import { print, printProgress } from "./support/output.ts"

const [closed = 10_000] = process.argv.slice(2).map(Number)
const open = 200
const merged = 20
const files = 1_000
const password = "correct horse battery"
/** The allowed extra time of a push that affects many pull requests, in milliseconds. */
const mostWaited = 2_000

const git = (folder: string, args: ReadonlyArray<string>, input?: string): string => {
  const { status, stderr, stdout } = spawnSync("git", args, {
    cwd: folder,
    encoding: "utf8",
    ...(input ? { input } : {})
  })
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`)
  return stdout.trim()
}

const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`
const who = "Ann <ann@example.com> 1500000000 +0000"

/**
 * Yields the input of `git fast-import` for the branches: one branch changes every file, many branches change one file
 * each.
 */
function* history(): Generator<string> {
  const change = (file: number, text: string) => `M 100644 inline src/file-${file}.txt\n${data(text)}`
  const all = Array.from({ length: files }, (_, file) => file)
  yield `commit refs/heads/main\nmark :1\ncommitter ${who}\n${data("main\n")}${all.map((file) => change(file, "one\ntwo\nthree\n")).join("")}\n`
  const off = (branch: string, changes: ReadonlyArray<string>) =>
    `commit refs/heads/${branch}\ncommitter ${who}\n${data(`${branch}\n`)}from :1\n${changes.join("")}\n`
  yield off(
    "wide",
    all.map((file) => change(file, `one\ntwo\n${file}\n`))
  )
  for (let at = 0; at < open + merged; at++) yield off(`topic-${at}`, [change(at, `one\ntopic\nthree\n`)])
  yield "done\n"
}

const timed = async <A>(act: () => Promise<A>): Promise<readonly [number, A]> => {
  const begin = performance.now()
  const answer = await act()
  return [performance.now() - begin, answer]
}

/** Returns SQL that copies a row of a table repeatedly; the given columns get other values. */
const copies = (table: string, columns: ReadonlyArray<string>, others: Readonly<Record<string, string>>) => {
  const copiedColumns = columns.filter((column) => column !== "id")
  return `INSERT INTO "${table}" (${copiedColumns.map((each) => `"${each}"`).join(", ")})
    SELECT ${copiedColumns.map((each) => others[each] ?? `"${table}"."${each}"`).join(", ")} FROM "${table}", `
}

const program = Effect.gen(function* () {
  const server = yield* startPostgres()
  const database = Database.layer(server, { schema: "forge", migrations, maxConnections: 1 })
  yield* Effect.promise(() =>
    withDirectory(async (directory) => {
      const url = Redacted.value(server.url)
      const administrator = { FORGE_ADMIN_USERNAME: "ann", FORGE_ADMIN_PASSWORD: password }
      const { base, process: service } = await start("forge", directory, url, [], administrator)
      try {
        let authorization = `Basic ${Buffer.from(`ann:${password}`).toString("base64")}`
        // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
        const ask = async (method: string, path: string, body?: unknown): Promise<any> => {
          const response = await fetch(`${base}/api/v1${path}`, {
            method,
            headers: { authorization, "content-type": "application/json" },
            ...(body === undefined ? {} : { body: JSON.stringify(body) })
          })
          const text = await response.text()
          if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
          return text === "" ? undefined : JSON.parse(text)
        }
        const { sha1 } = await ask("POST", "/users/ann/tokens", { name: "bench", scopes: ["all"] })
        authorization = `token ${sha1}`
        await ask("POST", "/user/repos", { name: "app" })
        const repo = "/repos/ann/app"
        const work = join(directory, "work")
        printProgress("pushing the branches")
        git(directory, ["init", "-q", "--initial-branch=main", work])
        git(work, ["fast-import", "--quiet", "--done"], [...history()].join(""))
        const remote = `${base.replace("://", `://ann:${sha1}@`)}/ann/app.git`
        git(work, ["push", "-q", remote, "main"])
        git(work, ["push", "-q", remote, "--all"])
        printProgress(`opening ${open + merged + 1} pull requests`)
        const opens = (head: string) => ask("POST", `${repo}/pulls`, { title: head, head, base: "main" })
        const wide = (await opens("wide")).number
        const opening: Array<number> = []
        for (let at = 0; at < open + merged; at++) opening.push((await timed(() => opens(`topic-${at}`)))[0])
        printProgress(`adding ${closed} closed ones`)
        await Effect.runPromise(
          Effect.gen(function* () {
            const sql = yield* SqlClient
            const of = (table: string) =>
              Effect.map(
                sql`SELECT column_name FROM information_schema.columns
                  WHERE table_schema = 'forge' AND table_name = ${table} AND is_generated = 'NEVER'`.values,
                (rows) => rows.map(([name]) => String(name))
              )
            // Closed ones aren't counted, and each would update the row of the counters again.
            const triggers = (what: "DISABLE" | "ENABLE") =>
              Effect.forEach(
                ["issue", "pull_request"],
                (table) => sql`${sql.literal(`ALTER TABLE ${table} ${what} TRIGGER USER`)}`.unprepared
              )
            yield* triggers("DISABLE")
            const series = `generate_series(1, ${closed}) copy`
            const issue = copies("issue", yield* of("issue"), { number: "1000 + copy", state: "'closed'" })
            yield* sql`${sql.literal(`${issue} ${series} WHERE "issue".number = 1`)}`.unprepared
            const pull = copies("pull_request", yield* of("pull_request"), {
              issue_id: "made.id",
              open: "false",
              open_between: "NULL"
            })
            yield* sql`${sql.literal(`${pull} issue made WHERE "pull_request".id = (SELECT min(id) FROM pull_request) AND made.number > 1000`)}`
              .unprepared
            yield* triggers("ENABLE")
            yield* sql`ANALYZE`.unprepared
          }).pipe(Effect.provide(database), Effect.scoped)
        )
        const reads = async (path: string) => {
          await ask("GET", path)
          const times: Array<number> = []
          for (let at = 0; at < 11; at++) times.push((await timed(() => ask("GET", path)))[0])
          return median(times)
        }
        const rows: Array<readonly [string, string]> = []
        const ms = (milliseconds: number) => `${milliseconds.toFixed(1)} ms`
        rows.push(["a page of 50 open pull requests", ms(await reads(`${repo}/pulls?state=open&limit=50`))])
        rows.push(["a page of 50 of all pull requests", ms(await reads(`${repo}/pulls?state=all&limit=50`))])
        rows.push([`one that changes ${files.toLocaleString("en")} files`, ms(await reads(`${repo}/pulls/${wide}`))])
        rows.push(["50 of its files", ms(await reads(`${repo}/pulls/${wide}/files?limit=50`))])
        rows.push(["opening one pull request", ms(median(opening))])
        const push = async (branch: string, file: string) => {
          git(work, ["checkout", "-q", branch])
          git(work, ["commit", "-q", "--allow-empty", "--author", "Ann <ann@example.com>", "-m", file])
          return (await timed(async () => git(work, ["push", "-q", remote, branch])))[0]
        }
        git(work, ["config", "user.name", "Ann"])
        git(work, ["config", "user.email", "ann@example.com"])
        git(work, ["checkout", "-q", "-b", "lone", "main"])
        const alone = await push("lone", "lone")
        const pushed = await push("main", "main")
        const [settled] = await timed(async () => {
          // The newest is checked last.
          const behind = async () => (await ask("GET", `${repo}/pulls/${wide + open + merged}`)).merge_base
          const tip = git(work, ["rev-parse", "main~1"])
          for (;;) {
            const waiting = await ask("GET", `${repo}/pulls?state=open&limit=50&page=1`)
            const bases = waiting.map(({ base: { sha } }: { base: { sha: string } }) => sha)
            if (bases.every((sha: string) => sha !== tip) && (await behind()) !== undefined) return
            await new Promise((resolve) => setTimeout(resolve, 50))
          }
        })
        rows.push(["a push to a branch without pull requests", ms(alone)])
        rows.push([`a push to the base of ${open + merged + 1} open pull requests`, ms(pushed)])
        rows.push(["until a page of 50 of these is refreshed", ms(settled)])
        const [merging] = await timed(async () => {
          for (let at = 0; at < merged; at++)
            await ask("POST", `${repo}/pulls/${wide + 1 + open + at}/merge`, { Do: "merge" })
        })
        rows.push(["merges one after the other", `${((merged / merging) * 1_000).toFixed(1)}/s`])
        print(`| with ${closed.toLocaleString("en")} closed ones | |`)
        print("|---|---:|")
        for (const [name, value] of rows) print(`| ${name} | ${value} |`)
        if (pushed > alone + mostWaited) {
          printProgress(`the push took ${ms(pushed - alone)} longer than one without pull requests`)
          process.exitCode = 1
        }
        rmSync(work, { recursive: true, force: true })
      } finally {
        await service.stop()
      }
    })
  )
})

await Effect.runPromise(Effect.scoped(program))
