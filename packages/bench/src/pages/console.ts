import { readFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { createConsole } from "@slipway/console"
import { Effect } from "effect"
import type { Client } from "pg"
import { fillDatabase, startService } from "../http/sites.ts"
import { flagsOf, type Started, token, withDirectory } from "../start/service.ts"
import { filledDatabase, type ServerAddress, serverOf, withClient } from "../support/databases.ts"
import { median } from "../support/numbers.ts"
import { print, printProgress } from "../support/output.ts"

const applications = 1_000
const logLines = 100_000
const most = { statements: 40, cpu: 3, html: 60 }
const turns = 5
const requestsPerTurn = 20
const ticksPerSecond = 100
const account = { name: "ann", password: "correct horse battery" }
const settings = { DEPLOY_ADMIN_USERNAME: account.name, DEPLOY_ADMIN_PASSWORD: account.password }

/** The SQL query for the number of statements since the last reset of the statistics. */
const counted = `
  SELECT coalesce(sum(calls), 0)::int AS statements FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
  WHERE d.datname = current_database() AND query ~* '^\\s*(SELECT|WITH)' AND query NOT LIKE '%pg_stat_statements%'`

/** Returns the processor time of a process so far, in milliseconds. */
const processorTime = ({ pid }: { readonly pid: number }): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1_000
}

/** Signs in as a browser does, and returns the session. */
const signIn = async (base: string): Promise<string> => {
  const form = await fetch(`${base}/login`)
  const [cookie = ""] = (form.headers.get("set-cookie") ?? "").split(";")
  const [, field = "", value = ""] = /type="hidden" name="(\w+)" value="([^"]+)"/.exec(await form.text()) ?? []
  const response = await fetch(`${base}/login`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie, origin: base },
    body: new URLSearchParams({ [field]: value, next: "/", ...account })
  })
  const [, session] = /slipway_deploy_session=([^;]+)/.exec(response.headers.get("set-cookie") ?? "") ?? []
  if (session === undefined) throw new Error(`the sign-in failed: ${response.status}`)
  return session
}

/** Starts a deployment without an engine, and stores a long log for it. Returns the paths of the pages. */
const pagesOf = async (base: string, client: Client): Promise<Readonly<Record<string, string>>> => {
  const ask = async (method: string, path: string) => {
    const response = await fetch(`${base}/api/v1${path}`, { method, headers: { authorization: `Bearer ${token}` } })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  const [{ uuid }] = await ask("GET", "/applications?page=1&per_page=1")
  const { deployment_uuid: deployment } = await ask("POST", `/applications/${uuid}/start`)
  await client.query(
    `INSERT INTO deployment_line (deployment_uuid, at, stream, line)
     SELECT $1, now(), 'stdout', 'line ' || n || repeat(' of the build', 5) FROM generate_series(1, $2) AS n`,
    [deployment, logLines]
  )
  await client.query("ANALYZE")
  const own = `/applications/${uuid}`
  return {
    [`dashboard with ${applications.toLocaleString("en")} applications`]: "/",
    application: own,
    "variables of an application": `${own}/variables`,
    "settings of an application": `${own}/settings`,
    [`log of ${logLines.toLocaleString("en")} lines`]: `${own}/deployments/${deployment}`
  }
}

/** Records the API requests that a page makes, so that they can be sent again without rendering the page. */
const requestsOf = async (base: string, session: string, path: string): Promise<ReadonlyArray<Request>> => {
  const sent: Array<Request> = []
  const send = (request: Request) => {
    const { pathname, search } = new URL(request.url)
    const own = new Request(`${base}${pathname}${search}`, request)
    sent.push(own.clone())
    return fetch(own)
  }
  const headers = { cookie: `slipway_deploy_session=${session}` }
  const reach = { rootUrl: base, send }
  const response = await createConsole().answer(new Request(`${base}${path}`, { headers }), reach, false)
  if (response?.status !== 200) throw new Error(`${path}: ${response?.status}`)
  return sent
}

interface Measured {
  readonly statements: number
  readonly page: number
  readonly json: number
  readonly kilobytes: number
}

const measured = async (
  { base, process }: Started,
  client: Client,
  session: string,
  path: string
): Promise<Measured> => {
  const headers = { cookie: `slipway_deploy_session=${session}`, accept: "text/html" }
  const page = async () => {
    const response = await fetch(`${base}${path}`, { headers })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
    return text
  }
  const requests = await requestsOf(base, session, path)
  const json = async () => {
    for (const request of requests) await (await fetch(request.clone())).text()
  }
  const spent = async (run: () => Promise<unknown>): Promise<number> => {
    const before = processorTime(process)
    for (let at = 0; at < requestsPerTurn; at++) await run()
    return (processorTime(process) - before) / requestsPerTurn
  }
  await page()
  const counts: Array<number> = []
  for (let turn = 0; turn < turns; turn++) {
    await client.query("SELECT public.pg_stat_statements_reset()")
    await page()
    counts.push(Number((await client.query(counted)).rows[0]?.statements))
  }
  const times: Record<"json" | "page", Array<number>> = { json: [], page: [] }
  for (let turn = 0; turn < turns; turn++) {
    times.page.push(await spent(page))
    times.json.push(await spent(json))
  }
  return {
    // The service polls for jobs in the background; the least count has the fewest of these statements.
    statements: Math.min(...counts),
    page: median(times.page),
    json: median(times.json),
    kilobytes: gzipSync(await page()).length / 1_000
  }
}

const measureAll = (address: ServerAddress) =>
  withDirectory(async (directory) => {
    const site = await startService("deploy", address, directory, flagsOf("server"), settings)
    const misses: Array<string> = []
    try {
      await withClient(address, async (client) => {
        await client.query("SET search_path = deploy, public")
        await client.query("CREATE EXTENSION pg_stat_statements SCHEMA public")
        const session = await signIn(site.base)
        const pages = await pagesOf(site.base, client)
        print("| page | statements | CPU ms | same JSON, CPU ms | times | HTML, kB compressed |")
        print("|---|---:|---:|---:|---:|---:|")
        for (const [name, path] of Object.entries(pages)) {
          const { json, kilobytes, page, statements } = await measured(site, client, session, path)
          const cells = [statements, page.toFixed(1), json.toFixed(1), (page / json).toFixed(2), kilobytes.toFixed(1)]
          print(`| ${name} | ${cells.join(" | ")} |`)
          if (statements > most.statements) misses.push(`${name}: ${statements} statements`)
          if (page / json > most.cpu) misses.push(`${name}: ${(page / json).toFixed(2)} times the CPU of the JSON`)
          if (kilobytes > most.html) misses.push(`${name}: ${kilobytes.toFixed(1)} kB of HTML`)
        }
      })
    } finally {
      await site.process.stop()
    }
    return misses
  })

/**
 * Measures the pages of the console on a PostgreSQL server, compared with the API requests that each page makes. Sets
 * exit code 1 when a page exceeds a limit.
 */
export const measureConsole = Effect.gen(function* () {
  const server = yield* serverOf({ library: "pg_stat_statements" })
  printProgress(`creating ${applications} applications`)
  const { address } = yield* filledDatabase(server, `deploy_${applications}`, "pages", (empty) =>
    fillDatabase("deploy", empty, { rows: applications, name: account.name })
  )
  const misses = yield* Effect.promise(() => measureAll(address))
  for (const miss of misses) printProgress(`above the limit: ${miss}`)
  if (misses.length > 0) process.exitCode = 1
})
