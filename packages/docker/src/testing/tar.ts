import { Effect, Stream } from "effect"
import { Tar } from "effect/encoding"

/** Returns a tar archive of files, given by their paths. Files below `bin/` are executable. */
export const tarOf = (files: Readonly<Record<string, string | Uint8Array>>): Uint8Array =>
  Stream.fromIterable(Object.entries(files)).pipe(
    Stream.map(([name, content]) => Tar.file(name, content, { mode: name.startsWith("bin/") ? 0o755 : 0o644 })),
    Stream.pipeThroughChannel(Tar.encode()),
    Stream.mkUint8Array,
    Effect.runSync
  )
