import { existsSync } from "node:fs"
import { placeSettings } from "@slipway/forge-app/config"
import { type SettingInvalid, type SettingsInvalid, textSetting } from "@slipway/http/node"
import { DatabaseAddress, type Migration } from "@slipway/sql"
import { migrations as deployMigrations } from "@slipway/sql/deploy"
import { migrations as forgeMigrations } from "@slipway/sql/forge"
import { Effect } from "effect"
import { type CliError, Flag } from "effect/cli"
import { userError } from "../forge/failures.ts"

/** The services that can be backed up. */
export const services = ["forge", "deploy"] as const

/** The name of a service. */
export type Service = (typeof services)[number]

/** The services that a command processes. */
export const serviceFlag = Flag.Literals("service", services).pipe(
  Flag.withDescription("One service; default both"),
  Flag.optional
)

/** A key that is required to read parts of a backup. */
export interface Key {
  /** Its name in a backup. */
  readonly name: string
  readonly meaning: string
  /** Its file, or its environment variable. */
  readonly file?: string
  readonly variable?: string
}

/** A folder with immutable files. */
export interface Folder {
  readonly name: "blobs" | "repositories"
  readonly directory: string
}

/** The data locations of a service, from its settings. */
export interface Places {
  readonly service: Service
  readonly database: DatabaseAddress.SqlAddress
  readonly migrations: ReadonlyArray<Migration>
  readonly folders: ReadonlyArray<Folder>
  readonly keys: ReadonlyArray<Key>
  /** The data that the operator has to back up separately. */
  readonly elsewhere: ReadonlyArray<string>
}

const onDisk = (service: Service, database: DatabaseAddress.DatabaseAddress) =>
  database._tag === "Memory"
    ? Effect.fail(userError(`\`memory:\` stores nothing of ${service}: backup and restore need a database`))
    : Effect.succeed(database)

const sealingKey = Effect.fnUntraced(function* (service: Service) {
  const variable = `${service.toUpperCase()}_ENCRYPTION_KEY`
  const file = (yield* textSetting(`${variable}_FILE`)) ?? `.slipway/${service}.key`
  const isGiven = (yield* textSetting(variable)) !== undefined
  const meaning = `the encryption key of ${service}`
  return { name: "encryption.key", meaning, ...(isGiven ? { variable } : { file }) } satisfies Key
})

const forge = Effect.gen(function* () {
  const { blobs, database, hostKey, repositories, signingKey } = yield* placeSettings
  const keys: Array<Key> = [
    yield* sealingKey("forge"),
    { name: "ssh-host.key", meaning: "the SSH host key for git clients", file: hostKey }
  ]
  if (signingKey !== undefined) {
    keys.push({ name: "signing.key", meaning: "the key that signs the site's commits", file: signingKey })
  }
  return {
    service: "forge",
    database: yield* onDisk("forge", database),
    migrations: forgeMigrations,
    folders: [
      { name: "repositories", directory: repositories },
      ...(blobs._tag === "Directory" ? [{ name: "blobs" as const, directory: blobs.directory }] : [])
    ],
    keys: keys.filter(({ file, variable }) => variable !== undefined || existsSync(file ?? "")),
    elsewhere: blobs._tag === "S3" ? ["the content of attachments, in the bucket of FORGE_BLOBS"] : []
  } satisfies Places
})

const deploy = Effect.gen(function* () {
  return {
    service: "deploy",
    database: yield* onDisk("deploy", yield* DatabaseAddress.setting("deploy")),
    migrations: deployMigrations,
    folders: [],
    keys: [yield* sealingKey("deploy")],
    elsewhere: ["images and volumes, on the servers of the applications"]
  } satisfies Places
})

/** Reads where a service keeps its data from the environment, as the service does. */
export const placesOf = (
  service: Service
): Effect.Effect<
  Places,
  SettingInvalid | SettingsInvalid | DatabaseAddress.InvalidDatabaseAddress | CliError.UserError
> => (service === "forge" ? forge : deploy)
