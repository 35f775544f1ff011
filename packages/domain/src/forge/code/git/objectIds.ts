import { Schema } from "effect"

/** The object formats of git: ids by SHA-1 or by SHA-256. */
export type ObjectFormat = "sha1" | "sha256"

/** The schema of an object id: 40 hexadecimal digits for SHA-1, or 64 for SHA-256, in lower case. */
export const ObjectId = Schema.String.check(Schema.isPattern(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/)).pipe(
  Schema.brand("ObjectId")
)
export type ObjectId = typeof ObjectId.Type

/** Returns whether a text is a full object id. */
export const isObjectId: (text: string) => text is ObjectId = Schema.is(ObjectId)

/**
 * Returns the format of an object id.
 *
 * ```ts
 * import { formatOf, ObjectId } from "./objectIds.ts"
 *
 * formatOf(ObjectId.make("a".repeat(40))) // => "sha1"
 * formatOf(ObjectId.make("a".repeat(64))) // => "sha256"
 * ```
 */
export const formatOf = (id: ObjectId): ObjectFormat => (id.length === 40 ? "sha1" : "sha256")

/** The object id of only zeros, by format; in ref updates, git uses it for a missing object. */
export const noObject: Readonly<Record<ObjectFormat, ObjectId>> = {
  sha1: ObjectId.make("0".repeat(40)),
  sha256: ObjectId.make("0".repeat(64))
}

/** The id of the empty tree, by format. */
export const emptyTree: Readonly<Record<ObjectFormat, ObjectId>> = {
  sha1: ObjectId.make("4b825dc642cb6eb9a060e54bf8d69288fbee4904"),
  sha256: ObjectId.make("6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321")
}
