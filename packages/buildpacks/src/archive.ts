import { createReadStream } from "node:fs"
import { lstat, readdir, readlink } from "node:fs/promises"
import { join, relative } from "node:path"
import { PackerFailed } from "@slipway/domain/deploy"
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

const notText = new PackerFailed({ because: "the files have names that aren't UTF-8, which can't be packed" })

/** Packs what lies below a directory: folders, files and links. */
export const archiveOf = (directory: string): Effect.Effect<Stream.Stream<Uint8Array>, PackerFailed> =>
  Effect.tryPromise({
    try: () => readdir(directory, { recursive: true, withFileTypes: true }),
    // What has no text for its name isn't found by it.
    catch: () => notText
  }).pipe(
    Effect.filterOrFail(
      (found) => !found.some(({ name }) => name.includes("\ufffd")),
      () => notText
    ),
    Effect.map((found) =>
      Stream.fromIterable(found.map(({ name, parentPath }) => join(parentPath, name)).toSorted()).pipe(
        Stream.mapEffect((path) => Effect.promise(() => entryOf(directory, path))),
        Stream.flatMap((entry) => (entry === undefined ? Stream.empty : Stream.make(entry))),
        Stream.pipeThroughChannel(Tar.encode()),
        Stream.orDie
      )
    )
  )
