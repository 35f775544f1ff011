import { createHash } from "node:crypto"
import type { EditedTree } from "@slipway/domain/forge/code"
import {
  encodePath,
  hashedContent,
  type ObjectFormat,
  type ObjectId,
  type ObjectKind
} from "@slipway/domain/forge/code"

/** Computes the git id (SHA-1 or SHA-256 hash) of an object. */
export const nameOf =
  (format: ObjectFormat) =>
  (kind: ObjectKind, content: Uint8Array): ObjectId =>
    createHash(format).update(hashedContent(kind, content)).digest("hex") as ObjectId

const zero = Buffer.from([0])

/** Returns the input of `git mktree --batch -z`: entries that end with a NUL, and one more NUL after each tree. */
export const treesForGit = ({ written }: EditedTree): Buffer =>
  Buffer.concat(
    written.flatMap(({ entries }) => [
      ...entries.flatMap(({ id, kind, mode, path }) => [
        Buffer.from(`${mode} ${kind} ${id}\t`),
        encodePath(path),
        zero
      ]),
      zero
    ])
  )
