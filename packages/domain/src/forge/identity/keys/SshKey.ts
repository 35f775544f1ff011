import { Context, type Effect, Schema } from "effect"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { UserId } from "../users/User.ts"

/** The schema of the id of an SSH key. */
export const SshKeyId = Schema.Int.pipe(Schema.brand("SshKeyId"))
export type SshKeyId = typeof SshKeyId.Type

/** The owner of a key: a user, or a repository with a deploy key. */
export type KeyHolder =
  | { readonly kind: "user"; readonly userId: UserId }
  | { readonly kind: "repository"; readonly repositoryId: RepositoryId; readonly readOnly: boolean }

/** A public SSH key; the holder of its private key can authenticate with it. */
export interface SshKey {
  readonly id: SshKeyId
  readonly holder: KeyHolder
  readonly title: string
  /** The type and the base64 data of the key, without the comment. */
  readonly publicKey: string
  /** The comment of the key as added. It may contain an email address, so only users who manage the key can see it. */
  readonly comment: string
  /** The fingerprint, as `ssh-keygen -l` shows it. */
  readonly fingerprint: string
  readonly createdAt: string
  readonly usedAt: string | null
}

/** Returns a key and its comment on one line, in the format of `authorized_keys`. */
export const keyLine = ({ comment, publicKey }: Pick<SshKey, "publicKey" | "comment">): string =>
  comment === "" ? publicKey : `${publicKey} ${comment}`

/** Splits a line in the format of `authorized_keys` into the key and the comment. */
export const keyOfLine = (line: string): Pick<SshKey, "publicKey" | "comment"> => {
  const [type, key, ...comment] = line.split(" ")
  return { publicKey: `${type} ${key}`, comment: comment.join(" ") }
}

/** The parsed data of a public SSH key. */
export interface ReadKey {
  readonly publicKey: string
  readonly fingerprint: string
  readonly comment: string
}

/** Reports that a text is not a supported public key, with the reason. */
export class PublicKeyInvalid extends Schema.TaggedError<PublicKeyInvalid>()("PublicKeyInvalid", {
  because: Schema.String
}) {}
/** Reports that the key already belongs to a user or a repository; a key can be added only once. */
export class KeyInUse extends Schema.TaggedError<KeyInUse>()("KeyInUse", {}) {}
/** Reports that no SSH key with this id exists. */
export class KeyNotFound extends Schema.TaggedError<KeyNotFound>()("KeyNotFound", { id: Schema.Number }) {}

/** Parses public SSH keys that users paste. */
export class PublicKeyReader extends Context.Service<
  PublicKeyReader,
  {
    /** Parses a public key. Rejects private keys, DSA keys, RSA keys under 2048 bits, and malformed keys. */
    readonly read: (text: string) => Effect.Effect<ReadKey, PublicKeyInvalid>
  }
>()("@slipway/domain/forge/PublicKeyReader") {}
