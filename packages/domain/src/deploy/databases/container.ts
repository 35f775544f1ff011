import { Redacted } from "effect"
import type { DeploymentUuid } from "../base/ids/DeploymentUuid.ts"
import {
  type ContainerHealthCheck,
  type ContainerSpec,
  containerSpec,
  type Mount,
  noOptions
} from "../containers/engine/ContainerSpec.ts"
import { limitsOf } from "../containers/engine/limits.ts"
import { containerName, volumeName } from "../containers/engine/names.ts"
import { type Database, ownerOf } from "./Database.ts"
import { kindOf, type Word } from "./kinds.ts"
import type { Values } from "./secrets.ts"

/** Returns the value of a word; null if its field is unset. */
export const valueOf = (word: Word, values: Values): string | null =>
  typeof word === "string" ? word : (values[word.field] ?? null)

/** Returns the values of words, omitting unset fields. */
export const wordsOf = (words: ReadonlyArray<Word>, values: Values): ReadonlyArray<string> =>
  words.flatMap((word) => valueOf(word, values) ?? [])

// The seconds that a large database may need to start and to write its memory to disk.
const startPeriod = 600
const stopTimeout = 60

const healthCheckOf = (words: ReadonlyArray<Word> | null, values: Values): ContainerHealthCheck | null =>
  words === null ? null : { command: wordsOf(words, values), interval: 5, timeout: 5, retries: 10, startPeriod }

/** The directory for backup files in a database container, which is a separate volume. */
export const backupDirectory = "/var/lib/slipway-backups"

/** Returns the name of the volume of a database on its server. */
export const volumeOf = ({ uuid }: Pick<Database, "uuid">): string => volumeName(ownerOf(uuid), "data")

const volume = (name: string, target: string): Mount => ({
  source: { _tag: "Volume", name },
  target,
  readOnly: false
})

/** Returns the container of one run of a database. */
export const containerOf = (
  database: Database,
  run: DeploymentUuid,
  { image, network, values }: { readonly image: string; readonly network: string; readonly values: Values }
): ContainerSpec => {
  const { command, directory, dump, environment, health, port } = kindOf(database.kind)
  const owner = { application: ownerOf(database.uuid), deployment: run, service: null }
  return containerSpec({
    owner,
    name: containerName(owner),
    image,
    command: command === null ? null : wordsOf(command, values),
    environment: environment.flatMap(([name, word]) => {
      const value = valueOf(word, values)
      return value === null ? [] : [[name, Redacted.make(value)] as const]
    }),
    // The uuid is unique there; a name such as `db` may not be (invariant I22).
    networks: [{ network, aliases: [database.uuid] }],
    ports:
      database.isPublic && database.publicPort !== null
        ? [{ address: null, host: database.publicPort, container: port, protocol: "tcp" }]
        : [],
    mounts: [
      volume(volumeOf(database), directory),
      ...(dump === null ? [] : [volume(volumeName(owner.application, "backups"), backupDirectory)])
    ],
    limits: limitsOf(database.limits),
    restart: { _tag: "UnlessStopped" },
    healthCheck: healthCheckOf(health, values),
    options: { ...noOptions, stopTimeout }
  })
}

const escaped = (word: Word, values: Values): string =>
  typeof word === "string" ? word : encodeURIComponent(values[word.field] ?? "")

const addressAt = ({ kind }: Database, values: Values, host: string, port: number): string => {
  const { password, path, scheme, user } = kindOf(kind).address
  return `${scheme}://${escaped(user, values)}:${escaped(password, values)}@${host}:${port}/${escaped(path, values)}`
}

/** Returns the URL, including the password, at which applications in its network reach a database. */
export const internalAddress = (database: Database, values: Values): string =>
  addressAt(database, values, database.uuid, kindOf(database.kind).port)

/** Returns the URL of a database through its server, including the password; null when it is not public. */
export const externalAddress = (database: Database, values: Values, ip: string): string | null =>
  database.isPublic && database.publicPort !== null
    ? addressAt(database, values, ip.includes(":") ? `[${ip}]` : ip, database.publicPort)
    : null
