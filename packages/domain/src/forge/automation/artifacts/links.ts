import { type Duration, Effect, Redacted, Schema } from "effect"
import { now, timeIn } from "../../../Time.ts"
import { Sealed, Vault } from "../../../Vault.ts"
import { RepositoryId } from "../../base/names/repositoryId.ts"
import { UserId } from "../../identity/users/User.ts"

import { ArtifactId } from "./Artifact.ts"

const Holder = Schema.Struct({
  /** The user who requested the link, which has the same permissions; null for anonymous callers and jobs. */
  userId: Schema.NullOr(UserId),
  /** The token with which the link was requested, or null; when the token is deleted, the link becomes invalid. */
  token: Schema.NullOr(Schema.Struct({ id: Schema.Int, userId: UserId })),
  /** Whether the caller had access only because the repository is public. */
  public: Schema.Boolean
})

/** The API caller who received a signed link; the link has no more permissions than this caller. */
export type LinkHolder = typeof Holder.Type

const Link = Schema.Struct({
  /** The permitted operation: download the artifact, or upload its content. */
  use: Schema.Literals(["download", "upload"]),
  repositoryId: RepositoryId,
  artifactId: ArtifactId,
  /** The job that received the link, or null; when the job ends, the link becomes invalid. */
  jobId: Schema.NullOr(Schema.Int),
  /** The API caller who received the link; null if a job received it. */
  by: Schema.NullOr(Holder),
  until: Schema.String
})

/** The content of a signed link: the permitted operation on an artifact, and the expiry time. */
export type SignedLink = typeof Link.Type

const owner = { uuid: "artifact", field: "link" }
const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Link))

const inAddress = (sealed: string): string => sealed.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
const fromAddress = (text: string): string =>
  text
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .padEnd(Math.ceil(text.length / 4) * 4, "=")

/** Encrypts the content of a signed link for use in a URL; the link expires after `lasting`. */
export const sign = Effect.fnUntraced(function* (link: Omit<SignedLink, "until">, lasting: Duration.Input) {
  const text = JSON.stringify({ ...link, until: yield* timeIn(lasting) } satisfies SignedLink)
  return inAddress(yield* (yield* Vault).seal(owner, Redacted.make(text)))
})

/**
 * Decrypts the content of a signed link; undefined if it is forged, expired, or issued for another operation.
 *
 * The authenticity check takes constant time.
 */
export const openLink = Effect.fnUntraced(function* (use: SignedLink["use"], signature: string | null | undefined) {
  if (!/^[\w-]{1,1000}$/.test(signature ?? "")) return undefined
  const text = yield* Effect.option((yield* Vault).tryOpen(owner, Sealed.make(fromAddress(signature ?? ""))))
  if (text._tag === "None") return undefined
  const link = yield* Effect.option(decode(Redacted.value(text.value)))
  if (link._tag === "None" || link.value.use !== use) return undefined
  return link.value.until > (yield* now) ? link.value : undefined
})
