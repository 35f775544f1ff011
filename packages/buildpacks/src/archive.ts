import { createReadStream } from "node:fs"
import { lstat, opendir, readlink } from "node:fs/promises"
import { join, relative } from "node:path"
import { PackerFailed } from "@slipway/domain/deploy/containers"
import { Effect, Stream } from "effect"
import { Tar } from "effect/encoding"

const entryOf = async (directory: string, path: string): Promise<Tar.Entry | undefined> => {
  const name = relative(directory, path)
  const stats = await lstat(path)
  const mode = stats.mode & 0o777
  if (stats.isDirectory()) return Tar.directory(name, { mode })
  if (stats.isSymbolicLink()) return Tar.symlink(name, await readlink(path), { mode })
  if (!stats.isFile()) return undefined
  const bytes = Stream.fromAsyncIterable(createReadStream(path), (cause) => cause)
  return Tar.fileStream(name, stats.size, Stream.orDie(bytes), { mode })
}

const notText = new PackerFailed({ because: "the files have names that are not UTF-8" })

/**
 * Lists all paths below a directory, each folder before its content. Reads a few folders at a time, since there may be
 * 500,000 paths (invariant I25: bounded resources).
 */
const pathsBelow = async (directory: string): Promise<ReadonlyArray<string>> => {
  const paths: Array<string> = []
  const open = [directory]
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for await (const entry of await opendir(folder, { bufferSize: 500 })) {
      if (entry.name.includes("\ufffd")) throw new Error("a name that is not UTF-8")
      const path = join(folder, entry.name)
      paths.push(path)
      if (entry.isDirectory()) open.push(path)
    }
  }
  return paths
}

/** Packs the folders, files and links below a directory into a tar archive. */
export const archiveOf = (directory: string): Effect.Effect<Stream.Stream<Uint8Array>, PackerFailed> =>
  Effect.tryPromise({
    try: () => pathsBelow(directory),
    // A file name that isn't text can't be looked up.
    catch: () => notText
  }).pipe(
    Effect.map((paths) =>
      Stream.fromIterable(paths).pipe(
        Stream.mapEffect((path) => Effect.promise(() => entryOf(directory, path))),
        Stream.flatMap((entry) => (entry === undefined ? Stream.empty : Stream.make(entry))),
        Stream.pipeThroughChannel(Tar.encode()),
        Stream.orDie
      )
    )
  )
