import { Effect, Stream } from "effect"
import { Tar } from "effect/encoding"

const contentOf = <E>({ body, header }: Tar.Entry<E>) =>
  header.type === "Symlink" ? Effect.succeed(`-> ${header.linkTarget}`) : Stream.mkString(Stream.decodeText(body))

/** Reads a tar archive as a record from path to content; the content of a symbolic link is `-> ` and its target. */
export const readTar = <E, R>(archive: Stream.Stream<Uint8Array, E, R>) =>
  archive.pipe(
    Stream.pipeThroughChannel(Tar.decode<E>()),
    Stream.filter(({ header }) => header.type === "File" || header.type === "Symlink"),
    Stream.mapEffect((entry) => Effect.map(contentOf(entry), (content) => [entry.header.path, content] as const)),
    Stream.runCollect,
    Effect.map((files): Readonly<Record<string, string>> => Object.fromEntries(files)),
    Effect.catchIf(Tar.isTarError, Effect.die)
  )
