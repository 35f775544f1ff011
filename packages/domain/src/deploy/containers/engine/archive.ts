import { Stream } from "effect"
import { Tar } from "effect/encoding"

/** Packs entries as a tar archive. */
export const archiveOf = (entries: Iterable<Tar.Entry>): Stream.Stream<Uint8Array> =>
  Stream.fromIterable(entries).pipe(Stream.pipeThroughChannel(Tar.encode()), Stream.orDie)

/** Packs text files as a tar archive; the keys are paths, and the values are contents. */
export const archiveOfFiles = (files: Readonly<Record<string, string>>): Stream.Stream<Uint8Array> =>
  archiveOf(Object.entries(files).map(([path, text]) => Tar.file(path, text)))
