import { existsSync } from "node:fs"
import { mkdir, rename, rm } from "node:fs/promises"
import { join, resolve } from "node:path"
import { checkConnected, listRepositories } from "@slipway/git/forge"
import { DatabaseAddress, discardDatabase, restoreDatabase } from "@slipway/sql"
import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { explainFailures, userError } from "../forge/failures.ts"
import { type Entry, linesIn, readBackup, writeFileFrom } from "./archive.ts"
import { attempt, chosenPlaces } from "./backup.ts"
import { filesIn } from "./files.ts"
import { type Folder, type Places, serviceFlag } from "./places.ts"
import { paced, progress } from "./progress.ts"

/** A folder that is restored next to its place, and moved there in one step. */
const stages = ({ directory, name }: Folder) => {
  const place = resolve(name === "repositories" ? join(directory, name) : directory)
  return { place, making: `${place}.restoring` }
}

const refuseTaken = Effect.fnUntraced(function* ({ database, folders }: Places) {
  const taken = database._tag === "Embedded" && existsSync(join(database.directory, "postgres"))
  if (taken) return yield* userError(`${database.directory} already has a database: restore into an empty directory`)
  for (const folder of folders) {
    const { place } = stages(folder)
    const first = yield* attempt(() => filesIn(place).next())
    if (first.done !== true) return yield* userError(`${place} already has files: restore into an empty directory`)
  }
})

/** Returns the target of a backup's file; undefined for one that is read later or was not requested. */
const placeOf = (all: ReadonlyArray<Places>, path: string): string | undefined => {
  const [service, kind, ...rest] = path.split("/")
  const places = all.find((each) => each.service === service)
  const folder = places?.folders.find(({ name }) => name === kind)
  if (folder !== undefined) return join(stages(folder).making, ...rest)
  const file = kind === "keys" ? places?.keys.find(({ name }) => name === rest.join("/"))?.file : undefined
  return file === undefined || existsSync(file) ? undefined : file
}

/** Repacks repositories that were restored as files, and checks that each is complete. */
const checkRepositories = Effect.fnUntraced(function* (making: string) {
  const say = paced()
  const paths = yield* attempt(() => listRepositories(making))
  for (const [index, repository] of paths.entries()) {
    const path = join(making, repository)
    yield* attempt(async () => {
      for (const folder of ["objects/info", "objects/pack", "refs/heads", "refs/tags"]) {
        await mkdir(join(path, folder), { recursive: true, mode: 0o700 })
      }
    })
    yield* checkConnected(path)
    yield* say(() => `${index + 1} of ${paths.length} git repositories checked`)
  }
})

const restoreAll = Effect.fnUntraced(function* (source: string, all: ReadonlyArray<Places>, isCheck: boolean) {
  const folders = all.flatMap((places) => places.folders.map(stages))
  const discard = attempt(async () => {
    for (const { making } of folders) await rm(making, { recursive: true, force: true })
  })
  if (!isCheck) {
    yield* Effect.forEach(all, refuseTaken)
    yield* discard
  }
  const found = new Set<string>()
  // Undo steps for a later failure, the last one first.
  const undone: Array<Effect.Effect<unknown, unknown>> = []
  const remove = (path: string) => attempt(() => rm(path, { recursive: true, force: true }))
  const take = async ({ body, path }: Entry) => {
    found.add(path.split("/", 2).join("/"))
    const place = isCheck ? undefined : placeOf(all, path)
    if (place === undefined) return
    if (path.split("/")[1] === "keys") undone.push(remove(place))
    await writeFileFrom(place, body)
  }
  yield* Effect.gen(function* () {
    yield* progress(`reading ${source}`)
    const count = yield* attempt(() => readBackup(source, take))
    yield* progress(`${count} files match their checksums`)
    for (const { service } of all) {
      if (!found.has(`${service}/database`)) return yield* userError(`the backup does not contain ${service}`)
    }
    if (isCheck) return
    for (const { database, folders, migrations, service } of all) {
      for (const folder of folders) {
        if (folder.name === "repositories") yield* checkRepositories(stages(folder).making)
      }
      const discarded = discardDatabase(database, service)
      // The directory is new. On a server, a schema of another application stays.
      if (database._tag === "Embedded") undone.push(discarded)
      const rows = yield* restoreDatabase(database, service, migrations, linesIn(source, `${service}/database`))
      if (database._tag === "Server") undone.push(discarded)
      yield* progress(`${service}: ${rows} rows in ${DatabaseAddress.show(database)}`)
    }
    yield* attempt(async () => {
      for (const { making, place } of folders) {
        // An existing folder may be empty.
        if ((await filesIn(place).next()).done === true) await rm(place, { recursive: true, force: true })
        if (!existsSync(making)) continue
        undone.push(remove(place))
        await rename(making, place)
      }
    })
  }).pipe(
    Effect.onError(() => Effect.forEach(undone.reverse(), (undo) => Effect.ignore(undo))),
    Effect.ensuring(Effect.ignore(discard))
  )
})

/** Restores a backup. */
export const restore = Command.make(
  "restore",
  {
    source: Argument.String("source").pipe(Argument.withDescription("The file or directory written by `backup`")),
    service: serviceFlag,
    check: Flag.Boolean("check").pipe(
      Flag.withDescription("Compare checksums and restore nothing"),
      Flag.withDefault(false)
    )
  },
  ({ check, service, source }) =>
    explainFailures(
      Effect.gen(function* () {
        const all = yield* chosenPlaces(service._tag === "Some" ? service.value : undefined)
        yield* restoreAll(source, all, check)
        yield* Console.log(
          check ? `${source} is complete` : `restored ${all.map((each) => each.service).join(" and ")}`
        )
      })
    )
).pipe(Command.withDescription("Restore a backup into services that are stopped and have no data"))
