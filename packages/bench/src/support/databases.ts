import type { DatabaseAddress } from "@slipway/sql"
import { type PostgresServerOptions, startPostgres } from "@slipway/sql/testing"
import { Effect, Redacted } from "effect"
import { Client } from "pg"

/** The address of a database on a PostgreSQL server. */
export type ServerAddress = Extract<DatabaseAddress.DatabaseAddress, { _tag: "Server" }>

/**
 * The environment variable with the address of a PostgreSQL server that keeps filled databases between runs, because
 * they take long to fill.
 */
const KEPT = "SLIPWAY_BENCH_DATABASE"
const existingServer = process.env[KEPT]

/** Returns the PostgreSQL server that `SLIPWAY_BENCH_DATABASE` names, or starts a temporary server. */
export const serverOf = (options: PostgresServerOptions = {}) => {
  if (existingServer === undefined) return startPostgres(options)
  const url = new URL(existingServer)
  return Effect.succeed<ServerAddress>({ _tag: "Server", url: Redacted.make(url.href), location: url.pathname })
}

/** Runs a function with a connection to a database, and closes the connection afterwards. */
export const withClient = async <A>(
  { url }: Pick<ServerAddress, "url">,
  use: (client: Client) => Promise<A>
): Promise<A> => {
  const client = new Client(Redacted.value(url))
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

const named = (server: ServerAddress, name: string): ServerAddress => {
  const url = new URL(Redacted.value(server.url))
  url.pathname = `/${name}`
  return { _tag: "Server", url: Redacted.make(url.href), location: url.pathname }
}

/**
 * Creates and fills a database, and returns its address with the result of `fill`. The database is dropped when the
 * scope closes.
 *
 * On a server that keeps databases, the new database is a copy of the first one that was filled.
 */
export const filledDatabase = Effect.fnUntraced(function* <E, R>(
  server: ServerAddress,
  site: string,
  purpose: string,
  fill: (address: ServerAddress) => Effect.Effect<string, E, R>
) {
  const run = (text: string) => Effect.promise(() => withClient(server, (client) => client.query(text)))
  const full = `${site}_filled`
  const name = `${site}_${purpose}`
  const known = `SELECT shobj_description(oid, 'pg_database') AS answer FROM pg_database WHERE datname = '${full}'`
  let answer: string | null = (yield* run(known)).rows[0]?.answer ?? null
  if (answer === null) {
    yield* run(`DROP DATABASE IF EXISTS ${full}`)
    yield* run(`CREATE DATABASE ${full}`)
    answer = yield* fill(named(server, full))
    yield* run(`COMMENT ON DATABASE ${full} IS '${answer}'`)
  }
  yield* run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  yield* Effect.acquireRelease(
    run(
      existingServer === undefined
        ? `ALTER DATABASE ${full} RENAME TO ${name}`
        : `CREATE DATABASE ${name} TEMPLATE ${full}`
    ),
    () => run(`DROP DATABASE ${name} WITH (FORCE)`)
  )
  return { address: named(server, name), answer }
})
