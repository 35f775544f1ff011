import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Database, type DatabaseAddress } from "@slipway/sql"
import * as deploySql from "@slipway/sql/deploy"
import * as forgeSql from "@slipway/sql/forge"
import { seedLists } from "@slipway/sql/testing"
import { testLayer } from "@slipway/testkit"
import { sentBy, testEnv } from "@slipway/testkit/forge"
import { Effect, Layer, Redacted } from "effect"
import { seed } from "../deploy/seed.ts"
import { type Service, type Started, start, token } from "../start/service.ts"

type ServerAddress = Extract<DatabaseAddress.DatabaseAddress, { _tag: "Server" }>

/** The number of rows in a database, and the name of the user who owns the token. */
interface Seeding {
  readonly rows: number
  readonly name: string
}
const usual: Seeding = { rows: 2_500, name: "user-2" }

/** An SQL statement that Slipway sent, with its parameters. */
export interface Statement {
  readonly text: string
  readonly parameters: ReadonlyArray<unknown>
}

/** A request to a service: its path, and whether it is sent without a token. */
export interface BenchRequest {
  readonly path: string
  readonly anonymous: boolean
}

const byUser = (path: string): BenchRequest => ({ path, anonymous: false })
const byNobody = (path: string): BenchRequest => ({ path, anonymous: true })

/** A request with the SQL statements that Slipway sent for it, and the response. */
export interface Recorded extends BenchRequest {
  readonly statements: ReadonlyArray<Statement>
  readonly answer: unknown
}

/** The requests of each service, by their names in the result table. */
export const benchRequests: Readonly<Record<Service, Readonly<Record<string, BenchRequest>>>> = {
  forge: {
    "`/healthz`": byNobody("/healthz"),
    "`/version` without a token": byNobody("/api/v1/version"),
    "`/version` with a token": byUser("/api/v1/version"),
    "one repository": byUser("/api/v1/repos/org-1/single"),
    "a list of 50 repositories": byUser("/api/v1/repos/search?limit=50")
  },
  deploy: {
    "`/healthz`": byNobody("/healthz"),
    "a list of 50 applications": byUser("/api/v1/applications?page=1&per_page=50")
  }
}

const seededForge = (server: ServerAddress, { name, rows }: Seeding) =>
  Effect.gen(function* () {
    const numbers = yield* seedLists(rows)
    const { authorization } = yield* sentBy({ name, token: ["all"] })
    return { numbers, token: (authorization ?? "").split(" ")[1] ?? "" }
  }).pipe(
    Effect.provide(
      Layer.merge(
        Layer.provideMerge(
          forgeSql.layerStores,
          Database.layer(server, { schema: "forge", migrations: forgeSql.migrations })
        ),
        testEnv()
      )
    )
  )

const seededDeploy = (server: ServerAddress, { rows }: Seeding) =>
  Effect.as(
    seed(rows, () => {}),
    { token }
  ).pipe(
    Effect.provide(
      Layer.merge(
        Layer.provideMerge(
          deploySql.layerStores,
          Database.layer(server, { schema: "deploy", migrations: deploySql.migrations })
        ),
        testLayer
      )
    )
  )

/** Fills a database for a service, and returns a valid token. */
export const fillDatabase = (
  service: Service,
  server: ServerAddress,
  seeding = usual
): Effect.Effect<string, unknown> =>
  Effect.map(service === "forge" ? seededForge(server, seeding) : seededDeploy(server, seeding), ({ token }) => token)

/**
 * Starts a service on the database. Health checks of servers are disabled, because the database has no real servers.
 */
export const startService = (
  service: Service,
  server: ServerAddress,
  directory: string,
  flags: ReadonlyArray<string> = [],
  more: Readonly<Record<string, string>> = {}
): Promise<Started> =>
  start(service, directory, Redacted.value(server.url), flags, {
    DEPLOY_LOOK: "3600",
    DEPLOY_PROXY: "external",
    ...more
  })

const answerTo = async (base: string, { anonymous, path }: BenchRequest, token: string): Promise<unknown> => {
  const response = await fetch(base + path, anonymous ? {} : { headers: { authorization: `Bearer ${token}` } })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

/** Sends a request for each path to a service, and returns the SQL statements and the response of each. */
export const recordRequests = async (
  service: Service,
  server: ServerAddress,
  directory: string,
  token: string
): Promise<ReadonlyArray<Recorded>> => {
  const file = join(directory, "statements")
  const flags = ["--import", join(import.meta.dirname, "recording.ts")]
  const { base, process } = await startService(service, server, directory, flags, { BENCH_STATEMENTS: file })
  const all: Array<Recorded> = []
  for (const each of Object.values(benchRequests[service])) {
    // Side effects of the first request, such as recording a token's use, don't count.
    await answerTo(base, each, token)
    writeFileSync(file, "")
    const answer = await answerTo(base, each, token)
    const lines = readFileSync(file, "utf8").split("\n").filter(Boolean)
    all.push({ ...each, answer, statements: lines.map((line) => JSON.parse(line)) })
  }
  await process.stop()
  return all
}
