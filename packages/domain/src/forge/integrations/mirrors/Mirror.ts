import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { ascending, owned } from "../../../owned/Owned.ts"
import type { Sealed } from "../../../Vault.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"

/** The schema of the id of a mirror. */
export const MirrorId = Schema.Int.pipe(Schema.brand("MirrorId"))
export type MirrorId = typeof MirrorId.Type

/** The directions of a mirror: `pull` copies from another host, `push` copies to another host. */
export const mirrorDirections = ["pull", "push"] as const
export type MirrorDirection = (typeof mirrorDirections)[number]

/** A mirror of a repository: a pull mirror copies from another host, a push mirror copies to another host. */
export interface Mirror {
  readonly id: MirrorId
  readonly repositoryId: RepositoryId
  readonly direction: MirrorDirection
  /** The name, unique among the mirrors of a repository. */
  readonly name: string
  /** The URL of the repository at the other host, without credentials. */
  readonly url: string
  readonly username: string
  /** The UUID to which the encryption of the password is bound. */
  readonly uuid: string
  readonly password: Sealed | null
  /** The interval between synchronizations, in seconds; 0 disables them. */
  readonly interval: number
  /** Whether each push to the repository starts a synchronization. */
  readonly onCommit: boolean
  /** Whether the mirror is removed after the first complete synchronization, as in a migration from another host. */
  readonly oneTime: boolean
  /** Whether the wiki is mirrored too. */
  readonly wiki: boolean
  readonly createdAt: string
  /** The time of the last successful synchronization. */
  readonly syncedAt: string | null
  /** The error message of the last synchronization; empty if it succeeded. */
  readonly lastError: string
  /**
   * The time of the next synchronization; null if none is scheduled. While one runs, this is the time when its lease
   * expires.
   */
  readonly dueAt: string | null
  readonly running: boolean
  /**
   * The number of synchronizations that were requested. If it increases during a synchronization, another one starts
   * afterwards.
   */
  readonly asked: number
}

/** The mirrors of all repositories. */
export const mirrors = owned<Mirror>()("mirror", {
  within: [],
  fields: {
    repositoryId: Fields.reference("repository"),
    direction: Fields.oneOf(...mirrorDirections),
    name: Fields.text(),
    url: Fields.text(),
    username: Fields.text(),
    uuid: Fields.text(),
    password: Fields.nullable(Fields.text()),
    interval: Fields.integer(),
    onCommit: Fields.boolean(),
    oneTime: Fields.boolean(),
    wiki: Fields.boolean(),
    createdAt: Fields.time(),
    syncedAt: Fields.nullable(Fields.time()),
    lastError: Fields.text(),
    dueAt: Fields.nullable(Fields.time()),
    running: Fields.boolean(),
    asked: Fields.integer()
  },
  orders: { id: ascending(), due: ascending("dueAt") },
  filters: ["repositoryId", "direction", "dueAt", "onCommit"],
  unique: { name: ["repositoryId", "name"] }
})

/** The name of the pull mirror of a repository; a repository has at most one. */
export const originName = "origin"

/** The maximum number of push mirrors of a repository. */
export const mostPushMirrors = 8

/** Reports that a repository has no mirror with this name. */
export class MirrorNotFound extends Schema.TaggedError<MirrorNotFound>()("MirrorNotFound", { name: Schema.String }) {}

/** Reports that the requested settings of a mirror are invalid. */
export class MirrorInvalid extends Schema.TaggedError<MirrorInvalid>()("MirrorInvalid", {
  field: Schema.String,
  problem: Schema.String
}) {}
