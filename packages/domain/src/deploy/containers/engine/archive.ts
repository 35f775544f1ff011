import { Result, Stream } from "effect"
import { Tar } from "effect/encoding"

/** Packs entries as a tar archive. */
export const archiveOf = (entries: Iterable<Tar.Entry>): Stream.Stream<Uint8Array> =>
  Stream.fromIterable(entries).pipe(Stream.pipeThroughChannel(Tar.encode()), Stream.orDie)

/** Packs text files as a tar archive; the keys are paths, and the values are contents. */
export const archiveOfFiles = (files: Readonly<Record<string, string>>): Stream.Stream<Uint8Array> =>
  archiveOf(Object.entries(files).map(([path, text]) => Tar.file(path, text)))

/** Returns the part of a path below its first component; null if it leaves the archive. */
const withoutFirst = (path: string): string | null => {
  // Podman's archives of volumes have an empty first component.
  const parts = path
    .split("/")
    .slice(1)
    .filter((part) => part !== "" && part !== ".")
  return parts.includes("..") ? null : parts.join("/")
}

/**
 * Removes the first component of the paths in a tar archive, so that the content of an archived directory can be
 * unpacked into another directory. Omits entries with a path outside of the archive.
 */
export const withoutTopDirectory = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>) =>
  bytes.pipe(
    Stream.pipeThroughChannel(Tar.decode<E>()),
    Stream.filterMap((entry) => {
      const { header } = entry
      const path = withoutFirst(header.path)
      const target = header.type === "Hardlink" ? withoutFirst(header.linkTarget ?? "") : header.linkTarget
      if (path === null || target === null) return Result.fail(undefined)
      const isDirectory = header.type === "Directory"
      return Result.succeed({
        ...entry,
        header: { ...header, path: isDirectory ? `${path === "" ? "." : path}/` : path, linkTarget: target }
      })
    }),
    Stream.pipeThroughChannel(Tar.encode<E | Tar.TarError, unknown, Tar.Entry<E | Tar.TarError>>())
  )
