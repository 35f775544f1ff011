import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { Sealed } from "../../../Vault.ts"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"

/** The uuid of a storage. */
export const StorageUuid = Uuid.pipe(Schema.brand("StorageUuid"))
export type StorageUuid = typeof StorageUuid.Type

/** The schema of a storage name, which becomes part of the name of its volume. */
export const StorageName = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,100}$/, {
    message:
      "Must begin with a letter or a digit and may only contain letters, digits, `_`, `.` and `-`, at most 101 characters."
  })
)

const isPlain = (path: string) => !path.split("/").some((part) => part === "." || part === "..")

/** The schema of an absolute path in a container or on a server. */
export const MountPath = Schema.String.check(
  Schema.makeFilter((path: string) =>
    /^\/[^/:,\p{Cc}][^:,\p{Cc}]{0,1022}$|^\/[^/:,\p{Cc}]$/u.test(path) && path.isWellFormed() && isPlain(path)
      ? undefined
      : "Must be a path that begins with a slash, without `:`, `,` and `..`, of at most 1024 characters."
  )
)

/** The settings of a storage. */
export interface StorageInput {
  readonly name: string
  /** The mount path in containers. */
  readonly mountPath: string
  /** The name of the compose service that mounts the storage; null for an application with a single container. */
  readonly service: string | null
  /** The server path that is mounted, if the instance allows it; null for a volume. */
  readonly hostPath: string | null
}

/** A persistent directory or a file that the containers of an application or a database mount. */
export interface Storage extends Entity, StorageInput {
  readonly uuid: StorageUuid
  /** The uuid of the application, or the owner id of a database. */
  readonly applicationUuid: ApplicationUuid
  /** The encrypted content of a file, bound to this uuid and the field `content`; null for a directory. */
  readonly content: Sealed | null
}

/** The schema of the content of a file storage. */
export const FileContent = Schema.String.check(
  Schema.makeFilter((text: string) => {
    if (text.length > longestFile) return `Must have at most ${longestFile} characters.`
    return text.isWellFormed() && !text.includes("\0") ? undefined : "Must be a text without NUL bytes."
  })
)

/** Returns the file name of a file storage from its path. */
export const fileNameOf = (path: string): string =>
  (path.split("/").at(-1) ?? "")
    .replace(/[^A-Za-z0-9_.-]/g, "_")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 101) || "file"

/** The maximum length of the content of a file, in characters. */
const longestFile = 100_000

/** The maximum number of storages of an application. */
export const mostStorages = 100

/** The error for a storage that does not exist. */
export class StorageNotFound extends Schema.TaggedError<StorageNotFound>()("StorageNotFound", {}) {}
