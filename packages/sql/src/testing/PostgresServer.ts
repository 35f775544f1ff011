import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process"
import { accessSync, chownSync, constants, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { Data, Effect, Redacted, type Scope } from "effect"
import type { ServerAddress } from "../database/DatabaseAddress.ts"

/**
 * A temporary PostgreSQL server cannot start. The message names what to install, or contains the error of the server.
 */
export class PostgresUnavailable extends Data.TaggedError("PostgresUnavailable")<{
  readonly message: string
}> {}

/** The options of a temporary PostgreSQL server. */
export interface PostgresServerOptions {
  /** Whether commits are synced to the disk, which benchmarks of commits need. Default: false. */
  readonly durable?: boolean
  /** The parent of the directory of the server. Default: the folder for temporary files. */
  readonly within?: string
  /** A library that the server preloads for all connections. */
  readonly library?: string
}

/**
 * The environment variable with the directory of PostgreSQL's programs, for machines where they are not in a standard
 * place.
 */
const PROGRAMS = "SLIPWAY_POSTGRES_PROGRAMS"

/** Returns the reason why no temporary server can start on this machine; undefined if it can start. */
export const postgresMissing = (): string | undefined =>
  binaries() === undefined
    ? `PostgreSQL's programs \`initdb\` and \`postgres\` are not installed: install the package \`postgresql\`, or name their directory in ${PROGRAMS}`
    : undefined

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Returns the directory of PostgreSQL's programs on Debian, which has one per major version, outside of PATH. Takes the
 * newest version.
 */
const binaries = (): string | undefined => {
  const hasBoth = (directory: string) => isProgram(join(directory, "initdb")) && isProgram(join(directory, "postgres"))
  const configured = process.env[PROGRAMS]
  if (configured !== undefined) return hasBoth(configured) ? configured : undefined
  const debian = "/usr/lib/postgresql"
  let versions: ReadonlyArray<string> = []
  try {
    versions = readdirSync(debian).sort((a, b) => Number(b) - Number(a))
  } catch {
    // No such directory: only PATH is left.
  }
  return [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env.PATH ?? "").split(delimiter)
  ].find(hasBoth)
}

interface User {
  readonly uid: number
  readonly gid: number
}

/**
 * Returns the user that runs PostgreSQL if this process runs as root, because PostgreSQL refuses to run as root. It is
 * `postgres`, or another unprivileged user.
 */
const unprivileged = (): User | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
  const user = users.find(([name]) => name === "postgres") ?? users.find(([name]) => name === "nobody")
  return user === undefined ? undefined : { uid: Number(user[2]), gid: Number(user[3]) }
}

const PREFIX = "slipway-postgres-"

/** Removes the directories that killed test runs have left. A server without its files exits within a minute. */
const sweep = (): void => {
  for (const name of readdirSync(tmpdir())) {
    const owner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]
    if (owner === undefined || isAlive(Number(owner))) continue
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    } catch {
      // Another user's.
    }
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM"
  }
}

const settings = ({ durable, library }: PostgresServerOptions): ReadonlyArray<string> =>
  [
    "listen_addresses=",
    "max_connections=200",
    "deadlock_timeout=100ms",
    "shared_buffers=128MB",
    ...(library === undefined ? [] : [`shared_preload_libraries=${library}`]),
    ...(durable ? [] : ["fsync=off", "synchronous_commit=off", "full_page_writes=off"])
  ].flatMap((setting) => ["-c", setting])

/**
 * Starts a PostgreSQL server in a temporary directory until the scope closes. A socket inside the directory accepts
 * connections.
 *
 * It is for tests and benchmarks only: it trusts every user who can open the socket, and its data is temporary.
 */
export const startPostgres = (
  options: PostgresServerOptions = {}
): Effect.Effect<ServerAddress, PostgresUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    const programs = binaries()
    if (programs === undefined) return yield* new PostgresUnavailable({ message: postgresMissing() ?? "" })
    sweep()
    const user = unprivileged()
    const directory = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(options.within ?? tmpdir(), `${PREFIX}${process.pid}-`))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    if (user !== undefined) chownSync(directory, user.uid, user.gid)
    const spawned: SpawnOptions = { ...user, cwd: directory, stdio: ["ignore", "ignore", "pipe"] }
    const data = join(directory, "data")
    yield* finish(
      spawn(
        join(programs, "initdb"),
        ["-D", data, "-U", "slipway", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"],
        spawned
      )
    )
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        const server = spawn(join(programs, "postgres"), ["-D", data, "-k", directory, ...settings(options)], spawned)
        const errors = collect(server)
        const abandon = () => void server.kill("SIGQUIT")
        process.once("exit", abandon)
        return { server, errors, abandon }
      }),
      ({ server, abandon }) =>
        Effect.promise(() => {
          process.off("exit", abandon)
          return ended(server, () => server.kill("SIGINT"))
        })
    ).pipe(Effect.flatMap(({ server, errors }) => ready(data, server, errors)))
    return {
      _tag: "Server",
      url: Redacted.make(`postgres://slipway@localhost/postgres?host=${encodeURIComponent(directory)}`),
      location: `${directory}:5432/postgres`
    }
  })

const collect = (child: ChildProcess): { text: string } => {
  const errors = { text: "" }
  child.stderr?.on("data", (chunk: Buffer) => {
    errors.text = (errors.text + chunk.toString("utf8")).slice(-4000)
  })
  return errors
}

const ended = (child: ChildProcess, before: () => void): Promise<number | null> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode)
    child.once("exit", resolve)
    child.once("error", () => resolve(null))
    before()
  })

const finish = (child: ChildProcess): Effect.Effect<void, PostgresUnavailable> =>
  Effect.suspend(() => {
    const errors = collect(child)
    return Effect.flatMap(
      Effect.promise(() => ended(child, () => {})),
      (code) =>
        code === 0
          ? Effect.void
          : Effect.fail(new PostgresUnavailable({ message: `initdb failed: ${errors.text.trim()}` }))
    )
  })

const ready = (
  data: string,
  server: ChildProcess,
  errors: { readonly text: string }
): Effect.Effect<void, PostgresUnavailable> =>
  Effect.gen(function* () {
    while (!isReady(data)) {
      if (server.exitCode !== null || server.signalCode !== null) {
        return yield* new PostgresUnavailable({ message: `postgres ended: ${errors.text.trim()}` })
      }
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
    }
  }).pipe(
    Effect.timeoutOrElse({
      duration: "30 seconds",
      orElse: () =>
        Effect.fail(new PostgresUnavailable({ message: `postgres did not become ready: ${errors.text.trim()}` }))
    })
  )

/**
 * Returns whether a server accepts connections, according to its own status file.
 *
 * Connecting to its socket is not a sufficient test: a starting server accepts a connection there and then rejects the
 * client.
 */
export const isReady = (data: string): boolean => {
  try {
    return readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[7]?.trim() === "ready"
  } catch {
    return false
  }
}
