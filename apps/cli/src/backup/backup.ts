import { join } from "node:path"
import { Readable } from "node:stream"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { now } from "@slipway/domain"
import { listRepositories, withCopy } from "@slipway/git/forge"
import { DatabaseAddress, dumpDatabase } from "@slipway/sql"
import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { explainFailures, userError } from "../forge/failures.ts"
import { type BackupWriter, writeBackup } from "./archive.ts"
import { addFile, filesIn } from "./files.ts"
import { type Key, type Places, placesOf, type Service, serviceFlag, services } from "./places.ts"
import { bytes, paced, progress } from "./progress.ts"

/** The size of one dump file of a backup in characters, which is held in memory. */
const part = 8_000_000

const zip = promisify(gzip)

/** Runs a file operation and reports its error as a user error. */
export const attempt = <A>(work: () => Promise<A>) =>
  Effect.tryPromise({ try: work, catch: (cause) => userError((cause as Error).message, cause) })

/** Counts the row lines of a dump, which are JSON; other lines describe the dump and its tables. */
const rowsIn = (lines: string, isAtStart: boolean): number =>
  (lines.match(/\n"/g)?.length ?? 0) + (isAtStart && lines.startsWith('"') ? 1 : 0)

const backUpDatabase = Effect.fnUntraced(function* (writer: BackupWriter, { database, service }: Places) {
  let text = ""
  let parts = 0
  let rows = 0
  let isAtStart = true
  const say = paced()
  const flush = Effect.suspend(() => {
    const path = `${service}/database/${String(parts++).padStart(6, "0")}.jsonl.gz`
    const lines = text
    text = ""
    return attempt(async () => {
      const zipped = await zip(lines)
      await writer.add({ path, size: zipped.length, body: Readable.from([zipped]) })
    })
  })
  yield* progress(`${service}: reading ${DatabaseAddress.show(database)}`)
  yield* dumpDatabase(database, service, (lines) => {
    text += lines
    rows += rowsIn(lines, isAtStart)
    isAtStart = lines.endsWith("\n")
    const said = say(() => `${service}: ${rows} rows`)
    return text.length < part ? said : Effect.andThen(flush, said)
  })
  yield* flush
  yield* progress(`${service}: ${rows} rows`)
})

const backUpRepositories = Effect.fnUntraced(function* (writer: BackupWriter, service: Service, root: string) {
  const paths = yield* attempt(() => listRepositories(join(root, "repositories")))
  const say = paced()
  for (const [index, path] of paths.entries()) {
    yield* withCopy(root, path, (copy) =>
      attempt(async () => {
        for await (const file of filesIn(copy))
          await addFile(writer, `${copy}/${file}`, `${service}/repositories/${path}/${file}`)
      })
    )
    yield* say(() => `${service}: ${index + 1} of ${paths.length} git repositories`)
  }
  yield* progress(`${service}: ${paths.length} git repositories`)
})

const backUpBlobs = Effect.fnUntraced(function* (writer: BackupWriter, service: Service, root: string) {
  let count = 0
  const say = paced()
  const files = filesIn(root)[Symbol.asyncIterator]()
  while (true) {
    const { done, value } = yield* attempt(() => files.next())
    if (done === true) break
    // Skips unfinished uploads, and archives of commits, which are rebuilt on request.
    if (/^(?:incoming|archives)\//.test(value)) continue
    if (yield* attempt(() => addFile(writer, `${root}/${value}`, `${service}/blobs/${value}`))) count += 1
    yield* say(() => `${service}: ${count} attached files`)
  }
  yield* progress(`${service}: ${count} attached files`)
})

const keyLine = (key: Key) => `  ${key.meaning}: ${key.file ?? `the variable ${key.variable}`}`

const backUp = Effect.fnUntraced(function* (writer: BackupWriter, places: Places, withKeys: boolean) {
  const { elsewhere, folders, keys, service } = places
  // Rows come first, from one snapshot. Git data and files that they reference exist then, and stay.
  yield* backUpDatabase(writer, places)
  for (const { directory, name } of folders) {
    yield* (name === "blobs" ? backUpBlobs : backUpRepositories)(writer, service, directory)
  }
  const left: Array<string> = elsewhere.map((what) => `  ${what}`)
  for (const key of keys) {
    const { file } = key
    if (!withKeys || file === undefined) left.push(keyLine(key))
    else yield* attempt(() => addFile(writer, file, `${service}/keys/${key.name}`))
  }
  return left
})

/** Reads the data locations of the chosen services. */
export const chosenPlaces = (service: Service | undefined) =>
  Effect.forEach(service === undefined ? services : [service], placesOf)

/** Backs up the data of running services. */
export const backup = Command.make(
  "backup",
  {
    target: Argument.String("target").pipe(
      Argument.withDescription("A new file that ends in .tar, or a new directory")
    ),
    service: serviceFlag,
    withKeys: Flag.Boolean("with-keys").pipe(
      Flag.withDescription("Include the encryption keys; readers of the backup can then read every secret"),
      Flag.withDefault(false)
    )
  },
  ({ service, target, withKeys }) =>
    explainFailures(
      Effect.gen(function* () {
        const all = yield* chosenPlaces(service._tag === "Some" ? service.value : undefined)
        const left: Array<string> = []
        let size = 0
        let files = 0
        const context = yield* Effect.context<never>()
        yield* attempt(() =>
          writeBackup(target, (writer) => {
            const counted: BackupWriter = {
              add: (entry) => {
                size += entry.size
                files += 1
                return writer.add(entry)
              }
            }
            return Effect.runPromiseWith(context)(
              Effect.forEach(all, (places) =>
                Effect.map(backUp(counted, places, withKeys), (missing) => left.push(...missing))
              )
            ).then(() => {})
          })
        )
        const at = yield* now
        yield* Console.log(`${target}: ${files} files, ${bytes(size)}, verified by \`slipway restore --check\`, ${at}`)
        if (left.length > 0) yield* Console.log(`not included; back up separately:\n${left.join("\n")}`)
      })
    )
).pipe(
  Command.withDescription("Back up the services' data, while they run or not"),
  Command.withExamples([
    { command: "slipway backup /backups/sunday.tar", description: "Back up both services to one file" }
  ])
)
