import { Redacted } from "effect"
import type { StorageInput } from "../apps/storages/Storage.ts"
import type { ApplicationUuid } from "../base/ids/ApplicationUuid.ts"
import type { DeploymentUuid } from "../base/ids/DeploymentUuid.ts"
import {
  type ContainerFile,
  type ContainerSpec,
  containerSpec,
  type Mount,
  noOptions,
  type Pairs
} from "../containers/engine/ContainerSpec.ts"
import { limitsOf } from "../containers/engine/limits.ts"
import { containerName, volumeName } from "../containers/engine/names.ts"
import { type Database, ownerOf } from "./Database.ts"
import { type DatabaseKind, kindOf, type Word } from "./kinds.ts"
import type { Values } from "./secrets.ts"
import { sslEnvironment, sslHealth, sslOptions, sslPath, sslScheme } from "./ssl.ts"

/** Returns the text of a command word: a literal, or the value of a database field; null if the field is unset. */
export const valueOf = (word: Word, values: Values): string | null =>
  typeof word === "string" ? word : (values[word.field] ?? null)

/** Returns the texts of command words; omits references to unset fields. */
export const wordsOf = (words: ReadonlyArray<Word>, values: Values): ReadonlyArray<string> =>
  words.flatMap((word) => valueOf(word, values) ?? [])

/** The directory for backup files in the container of a database; a separate volume is mounted there. */
export const backupDirectory = "/var/lib/slipway-backups"

/**
 * Returns the reason why users cannot add an environment variable to databases of a type; null if they can. Variables
 * that the platform sets from fields of the database, such as its password, are rejected.
 *
 * @example
 * variableProblem("postgresql", "POSTGRES_PASSWORD") // => "Is set by the field `postgres_password`."
 * variableProblem("postgresql", "TZ") // => null
 */
export const variableProblem = (kind: DatabaseKind, key: string): string | null => {
  const word = kindOf(kind).environment.find(([name]) => name === key)?.[1]
  if (word === undefined) return null
  return typeof word === "string" ? "Is set by the platform." : `Is set by the field \`${word.field}\`.`
}

/** The names of the volumes that the platform creates for each database: for its data and its backup files. */
const ownVolumes = { data: "data", backups: "backups" } as const

/**
 * Returns the reason why users cannot add a storage to databases of a type, and the invalid field; null if they can.
 * The names and directories of the volumes for data and backups are reserved.
 *
 * @example
 * storageProblem("redis", { name: "data" }) // => { field: "name", sentence: "Is the volume with the data of the database." }
 * storageProblem("redis", { mountPath: "/data" })?.field // => "mount_path"
 * storageProblem("redis", { name: "extra", mountPath: "/extra" }) // => null
 */
export const storageProblem = (
  kind: DatabaseKind,
  { mountPath, name }: { readonly name?: string; readonly mountPath?: string }
): { readonly field: "mount_path" | "name"; readonly sentence: string } | null => {
  const path = mountPath?.replace(/\/+$/, "").replace(/\/{2,}/g, "/")
  if (name === ownVolumes.data) return { field: "name", sentence: "Is the volume with the data of the database." }
  if (name === ownVolumes.backups) return { field: "name", sentence: "Is the volume with the backups of the database." }
  if (path === kindOf(kind).directory || path === backupDirectory) {
    return { field: "mount_path", sentence: "Is the directory of a volume that every database of this type has." }
  }
  return null
}

// The seconds that a large database may need to write its memory to disk.
const stopTimeout = 60

const healthCheckOf = (database: Database, values: Values): ContainerSpec["healthCheck"] => {
  const words = sslHealth(database) ?? kindOf(database.kind).health
  const { isEnabled, ...times } = database.health
  if (words === null) return null
  return isEnabled ? { command: wordsOf(words, values), ...times } : "disabled"
}

/** Returns the custom configuration file of a database and the command that uses it; null if no text is set. */
const configurationOf = ({ kind }: Database, values: Values) => {
  const { configuration } = kindOf(kind)
  const text = configuration && (values[configuration.field] ?? "")
  return configuration === undefined || text === undefined || text === ""
    ? null
    : { command: configuration.command, file: { path: configuration.path, text: Redacted.make(text) } }
}

/** Returns the name that the data volume of a database has on the server. */
export const volumeOf = ({ uuid }: Pick<Database, "uuid">): string => volumeName(ownerOf(uuid), ownVolumes.data)

const volume = (name: string, target: string): Mount => ({
  source: { _tag: "Volume", name },
  target,
  readOnly: false
})

/** The inputs for a database's container that are not in the database row, such as decrypted values. */
export interface DatabaseContainerParts {
  readonly image: string
  readonly network: string
  /** The values of the database's fields, with decrypted secrets. */
  readonly values: Values
  /** The user's environment variables, in addition to the variables that the fields of the database set. */
  readonly variables: Pairs
  readonly storages: ReadonlyArray<StorageInput>
  readonly files: ReadonlyArray<ContainerFile>
}

const mountOf = (application: ApplicationUuid, { hostPath, mountPath, name }: StorageInput): Mount => ({
  source:
    hostPath === null ? { _tag: "Volume", name: volumeName(application, name) } : { _tag: "Host", path: hostPath },
  target: mountPath,
  readOnly: false
})

/** Returns the container specification for one start of a database. */
export const containerOf = (
  database: Database,
  run: DeploymentUuid,
  { files, image, network, storages, values, variables }: DatabaseContainerParts
): ContainerSpec => {
  const { command: usual, directory, dump, environment, port } = kindOf(database.kind)
  const configuration = configurationOf(database, values)
  const usualCommand = configuration?.command ?? usual
  const options = sslOptions(database)
  const command = usualCommand === null && options.length === 0 ? null : [...(usualCommand ?? []), ...options]
  const owner = { application: ownerOf(database.uuid), deployment: run, service: null }
  return containerSpec({
    owner,
    name: containerName(owner),
    image,
    command: command === null ? null : wordsOf(command, values),
    environment: [
      ...environment.flatMap(([name, word]) => {
        const value = valueOf(word, values)
        return value === null ? [] : [[name, Redacted.make(value)] as const]
      }),
      ...sslEnvironment(database),
      ...variables
    ],
    // The uuid is unique there; a name such as `db` may not be (invariant I22).
    networks: [{ network, aliases: [database.uuid] }],
    ports:
      database.isPublic && database.publicPort !== null
        ? [{ address: null, host: database.publicPort, container: port, protocol: "tcp" }]
        : [],
    mounts: [
      volume(volumeOf(database), directory),
      ...(dump === null ? [] : [volume(volumeName(owner.application, ownVolumes.backups), backupDirectory)]),
      ...storages.map((storage) => mountOf(owner.application, storage))
    ],
    limits: limitsOf(database.limits),
    restart: { _tag: "UnlessStopped" },
    files: [...(configuration === null ? [] : [configuration.file]), ...files],
    healthCheck: healthCheckOf(database, values),
    options: { ...noOptions, stopTimeout }
  })
}

const escaped = (word: Word, values: Values): string =>
  typeof word === "string" ? word : encodeURIComponent(values[word.field] ?? "")

const addressAt = (database: Database, values: Values, host: string, port: number): string => {
  const { password, path, scheme, user } = kindOf(database.kind).address
  const account = `${escaped(user, values)}:${escaped(password, values)}`
  return `${sslScheme(database, scheme)}://${account}@${host}:${port}/${sslPath(database, escaped(path, values))}`
}

/** Returns the URL, including the password, at which applications in the same network reach a database. */
export const internalAddress = (database: Database, values: Values): string =>
  addressAt(database, values, database.uuid, kindOf(database.kind).port)

/** Returns the URL of a database at the public port of its server, including the password; null if it is not public. */
export const externalAddress = (database: Database, values: Values, ip: string): string | null =>
  database.isPublic && database.publicPort !== null
    ? addressAt(database, values, ip.includes(":") ? `[${ip}]` : ip, database.publicPort)
    : null
