import { join } from "node:path"
import { Config, Data, Effect, Option, Redacted, Result } from "effect"

/** The address `memory:`. It selects the store in the memory of the process, which does not use SQL. */
export interface MemoryAddress {
  readonly _tag: "Memory"
}

/** An address `file:<directory>`. It selects the embedded PostgreSQL, which stores its files below that directory. */
export interface EmbeddedAddress {
  readonly _tag: "Embedded"
  readonly directory: string
}

/** An address `postgres://…`. It selects a PostgreSQL server; `location` is the address without credentials. */
export interface ServerAddress {
  readonly _tag: "Server"
  readonly url: Redacted.Redacted
  readonly location: string
}

/** An address of an SQL database. */
export type SqlAddress = EmbeddedAddress | ServerAddress

/** The address of a service's data. */
export type DatabaseAddress = MemoryAddress | SqlAddress

/** A text is not a valid database address. The message never contains the text, which may include a password. */
export class InvalidDatabaseAddress extends Data.TaggedError("InvalidDatabaseAddress")<{
  readonly message: string
}> {}

const invalid = (message: string) => Result.fail(new InvalidDatabaseAddress({ message }))

const forms = "use `memory:`, `file:<directory>` or `postgres://user:password@host:port/database`"

/** Parses a database address, or returns the problem. */
export const parse = (text: string | Redacted.Redacted): Result.Result<DatabaseAddress, InvalidDatabaseAddress> => {
  const address = (typeof text === "string" ? text : Redacted.value(text)).trim()
  if (address === "") return invalid(`the database address is empty: ${forms}`)
  if (address.includes("\0")) return invalid("the database address contains a null byte")
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase()
  switch (scheme) {
    case "memory":
      return address.length === "memory:".length
        ? Result.succeed({ _tag: "Memory" })
        : invalid("the database address `memory:` must have nothing after the colon")
    case "file":
      return parseFile(address.slice("file:".length))
    case "postgres":
    case "postgresql":
      return parseServer(address)
    default:
      return invalid(`the database address has an unknown scheme: ${forms}`)
  }
}

const parseFile = (rest: string): Result.Result<DatabaseAddress, InvalidDatabaseAddress> => {
  if (!rest.startsWith("//")) {
    return rest === ""
      ? invalid("the database address `file:` names no directory")
      : Result.succeed({ _tag: "Embedded", directory: rest })
  }
  // The URL form: file:///srv/data is /srv/data, and a host would mean another machine's disk.
  const directory = rest.slice(2)
  if (!directory.startsWith("/")) {
    return invalid("the database address `file://` needs a third slash before an absolute directory")
  }
  try {
    return Result.succeed({ _tag: "Embedded", directory: decodeURIComponent(directory) })
  } catch {
    return invalid("the database address `file://` contains an invalid percent-encoding")
  }
}

const sslModes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]

const parseServer = (address: string): Result.Result<DatabaseAddress, InvalidDatabaseAddress> => {
  if (!URL.canParse(address)) {
    return invalid(
      "the database address is not a URL: encode the characters `@ : / ? # %` of a password in percent form"
    )
  }
  const url = new URL(address)
  const parts = [url.username, url.password, url.hostname, url.pathname]
  try {
    for (const part of parts) decodeURIComponent(part)
  } catch {
    return invalid("the database address contains an invalid percent-encoding")
  }
  if (url.hash !== "") return invalid("the database address has a `#`: encode it as `%23`")
  const ssl = url.searchParams.get("sslmode")
  if (ssl !== null && !sslModes.includes(ssl)) {
    return invalid(`the database address has an unknown sslmode: use one of ${sslModes.join(", ")}`)
  }
  const host = url.searchParams.get("host") ?? (url.hostname || "localhost")
  const port = url.searchParams.get("port") ?? (url.port || "5432")
  const portNumber = Number(port)
  if (!Number.isInteger(portNumber) || portNumber < 1 || portNumber > 65_535) {
    return invalid("the database address has a port that is not between 1 and 65535")
  }
  const database = url.searchParams.get("dbname") ?? decodeURIComponent(url.pathname.replace(/^\//, ""))
  return Result.succeed({
    _tag: "Server",
    url: Redacted.make(address, { label: "database address" }),
    location: `${host}:${port}/${database}`
  })
}

const shared = "DATABASE_URL"

/**
 * Returns the database address of one service. Services cannot share an embedded database, so each gets a subdirectory.
 */
const ownIn = (address: DatabaseAddress, service: string): DatabaseAddress =>
  address._tag === "Embedded" ? { ...address, directory: join(address.directory, service) } : address

/**
 * Reads the database address of a service from the environment.
 *
 * The address is the variable `<SERVICE>_DATABASE_URL`, otherwise `DATABASE_URL`, otherwise `file:.slipway`. In the
 * last two cases, an embedded database is in the subdirectory with the name of the service.
 */
export const setting = (service: string): Effect.Effect<DatabaseAddress, InvalidDatabaseAddress> => {
  const own = `${service.toUpperCase()}_DATABASE_URL`
  const read = (variable: string) =>
    Effect.flatMap(Effect.orDie(Config.option(Config.Redacted(variable))), (value) =>
      Option.isNone(value)
        ? Effect.undefined
        : Effect.fromResult(
            Result.mapError(
              parse(value.value),
              ({ message }) =>
                new InvalidDatabaseAddress({ message: `the setting \`${variable}\` is wrong: ${message}` })
            )
          )
    )
  return Effect.gen(function* () {
    const address = yield* read(own)
    if (address !== undefined) return address
    return ownIn((yield* read(shared)) ?? { _tag: "Embedded", directory: ".slipway" }, service)
  })
}

/** Returns the address for display, without credentials. */
export const show = (address: DatabaseAddress): string => {
  switch (address._tag) {
    case "Memory":
      return "memory: (nothing is stored)"
    case "Embedded":
      return `file:${address.directory}`
    case "Server":
      return `postgres://${address.location}`
  }
}
