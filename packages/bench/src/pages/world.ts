import type { Forge } from "@slipway/embed"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

const params = { username: "ann", reponame: "app" }
const files = { commit: 200, pull: 300 }
const lines = 5_000
const comments = 500

/** The pages to measure, by their names in the result table, and a session cookie of the user who reads them. */
export interface PageWorld {
  readonly pages: Readonly<Record<string, string>>
  readonly session: string
}

/** Encodes a text as base64, which the API accepts although the types of the client do not include it. */
const base64 = (text: string) => Buffer.from(text).toString("base64") as never

const source = (name: string, count: number): string =>
  Array.from(
    { length: count },
    (_, at) => `export const ${name}${at} = (value: number): number => value * ${at} // line ${at}\n`
  ).join("")

const filesOf = (folder: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    operation: "create" as const,
    path: `${folder}/file-${at}.ts`,
    content: base64(source("value", 8))
  }))

/**
 * Inserts copies of the first issue directly into the database, because the API would take too long. Each copy has the
 * next number.
 */
const copyIssues = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient
  const run = (text: string) => sql`${sql.literal(text)}`.unprepared
  const columns = (yield* sql`SELECT column_name FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = 'issue' AND is_generated = 'NEVER'`.values)
    .map(([name]) => String(name))
    .filter((name) => name !== "id")
  const value = (name: string) =>
    name === "number" ? "100000 + copy" : name === "title" ? `'Issue ' || copy` : `issue."${name}"`
  yield* run("ALTER TABLE issue DISABLE TRIGGER USER")
  yield* run(`INSERT INTO issue (${columns.map((name) => `"${name}"`).join(", ")})
    SELECT ${columns.map(value).join(", ")} FROM issue, generate_series(1, ${count}) copy WHERE issue.number = 1`)
  yield* run("ALTER TABLE issue ENABLE TRIGGER USER")
  yield* run("ANALYZE")
})

const make = async (forge: Forge, address: string, password: string) => {
  const ann = forge.actAs("ann")
  await ann.account.repository.create({ body: { name: "app", auto_init: true, default_branch: "main" } })
  await ann.repository.contents.create({
    params: { ...params, "*": "src/long.ts" },
    body: { message: "Add a long file", content: base64(source("line", lines)) }
  })
  const change = (message: string, branch: string, count: number) =>
    ann.repository.contents.change({ params, body: { message, branch, files: filesOf(branch, count) } })
  const { commit } = await change("Add many files", "main", files.commit)
  await ann.issue.create({ params, body: { title: "Many comments", body: "See **below**." } })
  for (let at = 0; at < comments; at++)
    await ann.issue.comment.create({
      params: { ...params, index: "1" },
      body: { body: `Comment ${at} with \`code\` and a [link](https://example.com/${at}).` }
    })
  await ann.repository.branch.create({ params, body: { new_branch_name: "wide" } })
  await change("Change many files", "wide", files.pull)
  const { number } = await ann.pull.create({ params, body: { title: "Many files", head: "wide", base: "main" } })
  const authorization = `Basic ${Buffer.from(`ann:${password}`).toString("base64")}`
  const signedIn = await forge.handler(
    new Request(`${address}/api/v1/user/sessions`, { method: "POST", headers: { authorization } })
  )
  const cookie = signedIn.headers.getSetCookie().find((each) => each.startsWith("slipway_session=")) ?? ""
  const session = cookie.slice(cookie.indexOf("=") + 1).split(";")[0] ?? ""
  return { sha: commit?.sha ?? "", pull: number, session }
}

/** Creates the repositories, issues and other resources that the measured pages show. */
export const pageWorld = Effect.fnUntraced(function* (
  forge: Forge,
  { address, issues, password }: { readonly address: string; readonly issues: number; readonly password: string }
) {
  const { pull, session, sha } = yield* Effect.promise(() => make(forge, address, password))
  yield* copyIssues(issues)
  return {
    session,
    pages: {
      "repository home": "/ann/app",
      "file of 5,000 lines": "/ann/app/src/branch/main/src/long.ts",
      "commit of 200 files": `/ann/app/commit/${sha}`,
      "issue of 500 comments": "/ann/app/issues/1",
      [`list of ${issues.toLocaleString("en")} issues`]: "/ann/app/issues",
      "pull request of 300 files": `/ann/app/pulls/${pull}/files`
    }
  } satisfies PageWorld
})
