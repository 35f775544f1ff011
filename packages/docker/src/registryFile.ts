import { constants, type FileHandle, open } from "node:fs/promises"
import {
  LoginsUnreadable,
  type RegistryCredentials,
  RegistryLogins,
  registryOf
} from "@slipway/domain/deploy/containers"
import { Effect, Layer, Option, Redacted, Schema } from "effect"

// All of it fits into one header of a build request, for which engines accept a mebibyte (invariant I25).
const largestFile = 262_144

const AuthFile = Schema.fromJsonString(
  Schema.Struct({ auths: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))) })
)
const decodeFile = Schema.decodeUnknownOption(AuthFile)

const decodeEntry = Schema.decodeUnknownOption(Schema.Struct({ auth: Schema.String }))

const base64 = /^[A-Za-z0-9+/]+={0,2}$/

const entryOf = (key: string, value: unknown): ReadonlyArray<RegistryCredentials> => {
  const registry = registryOf(key)
  const entry = decodeEntry(value)
  if (registry === undefined || Option.isNone(entry) || !base64.test(entry.value.auth)) return []
  const text = Buffer.from(entry.value.auth, "base64").toString()
  const colon = text.indexOf(":")
  // Some tools write NULs behind the password; Docker removes them as well.
  const password = text.slice(colon + 1).replace(/\0+$/, "")
  // Without a password it is an identity token, or belongs to a credential helper.
  if (colon < 1 || password === "") return []
  return [{ registry, username: text.slice(0, colon), password: Redacted.make(password) }]
}

const unreadable = (because: string) => new LoginsUnreadable({ because: `the file with them ${because}` })

const codes: Readonly<Record<string, string>> = {
  ENOENT: "isn't there",
  ENOTDIR: "isn't there",
  EACCES: "may not be read",
  EPERM: "may not be read"
}

// The system's error message contains the path, which must not appear in a deployment's log.
const failed = (cause: unknown) => unreadable(codes[(cause as NodeJS.ErrnoException).code ?? ""] ?? "can't be read")

const bytesOf = (file: FileHandle) =>
  Effect.gen(function* () {
    const stats = yield* Effect.tryPromise({ try: () => file.stat(), catch: failed })
    if (!stats.isFile()) return yield* unreadable("is not a file")
    const room = Buffer.alloc(largestFile + 1)
    let size = 0
    for (;;) {
      const { bytesRead } = yield* Effect.tryPromise({
        try: () => file.read(room, size, room.length - size),
        catch: failed
      })
      size += bytesRead
      if (size > largestFile) return yield* unreadable(`is larger than ${largestFile / 1024} KiB`)
      if (bytesRead === 0) return room.subarray(0, size)
    }
  })

/**
 * Reads registry user names and passwords from a file that `docker login` or `podman login --authfile` has written.
 *
 * Omits entries without a password, such as those of a credential helper or an identity token.
 */
export const readRegistryFile = (path: string): Effect.Effect<ReadonlyArray<RegistryCredentials>, LoginsUnreadable> =>
  Effect.acquireUseRelease(
    // Doesn't wait for a writer if it is a pipe.
    Effect.tryPromise({ try: () => open(path, constants.O_RDONLY | constants.O_NONBLOCK), catch: failed }),
    bytesOf,
    (file) => Effect.promise(() => file.close())
  ).pipe(
    Effect.flatMap((bytes) => {
      const decoded = decodeFile(bytes.toString())
      if (Option.isNone(decoded)) return Effect.fail(unreadable("does not have the format of `docker login`"))
      return Effect.succeed(Object.entries(decoded.value.auths ?? {}).flatMap(([key, value]) => entryOf(key, value)))
    })
  )

/** Provides registry user names and passwords from a file, which is read again at each use. */
export const layerRegistryFile = (path: string, advice: string): Layer.Layer<never> =>
  Layer.succeed(RegistryLogins, { read: readRegistryFile(path), advice })
