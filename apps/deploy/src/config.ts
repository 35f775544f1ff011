import { DatabaseAddress } from "@slipway/sql"
import { Config, Effect, Option, type Redacted } from "effect"

/** The settings of the service, from the environment; docs/operations.md has them. */
export interface Settings {
  readonly host: string
  readonly port: number
  readonly database: DatabaseAddress.DatabaseAddress
  /** The address as a person may see it: without credentials. */
  readonly location: string
  readonly token: Redacted.Redacted | undefined
  readonly encryptionKey: Redacted.Redacted | undefined
  readonly encryptionKeyFile: string
}

const database = Config.Redacted("DEPLOY_DATABASE_URL").pipe(
  Config.orElse(() => Config.Redacted("DATABASE_URL")),
  Config.option
)

const locationOf = (address: DatabaseAddress.DatabaseAddress): string => {
  switch (address._tag) {
    case "Memory":
      return "memory: (nothing is kept)"
    case "Embedded":
      return `file:${address.directory}`
    case "Server":
      return `postgres://${address.location}`
  }
}

/** Reads the settings; a wrong one fails with what is wrong with it. */
export const settings = Effect.gen(function* () {
  const address = yield* Effect.fromResult(
    DatabaseAddress.parse(Option.getOrElse(yield* database, () => "file:.slipway/deploy"))
  )
  const token = yield* Config.option(Config.Redacted("DEPLOY_TOKEN"))
  const encryptionKey = yield* Config.option(Config.Redacted("DEPLOY_ENCRYPTION_KEY"))
  return {
    host: yield* Config.withDefault(Config.String("HOST"), "127.0.0.1"),
    port: yield* Config.withDefault(Config.Port("DEPLOY_PORT"), 8000),
    database: address,
    location: locationOf(address),
    token: Option.getOrUndefined(token),
    encryptionKey: Option.getOrUndefined(encryptionKey),
    encryptionKeyFile: yield* Config.withDefault(Config.String("DEPLOY_ENCRYPTION_KEY_FILE"), ".slipway/deploy.key")
  } satisfies Settings
})
