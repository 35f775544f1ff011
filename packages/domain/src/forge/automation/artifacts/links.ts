import { type Duration, Effect, Redacted, Schema } from "effect"
import { now, timeIn } from "../../../Time.ts"
import { Sealed, Vault } from "../../../Vault.ts"
import { RepositoryId } from "../../base/names/repositoryId.ts"
import { UserId } from "../../identity/users/User.ts"

import { ArtifactId } from "./Artifact.ts"

const Holder = Schema.Struct({
  /** The user with the permission that the link uses; null for an anonymous caller and a job. */
  userId: Schema.NullOr(UserId),
  /** The token that the user or the job sent; without it the link is invalid. */
  token: Schema.NullOr(Schema.Struct({ id: Schema.Int, userId: UserId })),
  /** Whether the caller had access only because the repository is public. */
  public: Schema.Boolean
})

/** The receiver of a signed link. */
export type LinkHolder = typeof Holder.Type

const Link = Schema.Struct({
  /** The permitted operation: download an artifact, or upload the bytes of one. */
  use: Schema.Literals(["download", "upload"]),
  repositoryId: RepositoryId,
  artifactId: ArtifactId,
  /** The running job that received the link; the link is invalid without it. */
  jobId: Schema.NullOr(Schema.Int),
  /** The API caller who received it; null if a running job received it. */
  by: Schema.NullOr(Holder),
  until: Schema.String
})

/** The permission that a signed link grants to its holder, and its expiry. */
export type SignedLink = typeof Link.Type

const owner = { uuid: "artifact", field: "link" }
const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Link))

const inAddress = (sealed: string): string => sealed.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
const fromAddress = (text: string): string =>
  text
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .padEnd(Math.ceil(text.length / 4) * 4, "=")

/** Returns the signature of a link with a lifetime, as in the URL. */
export const sign = Effect.fnUntraced(function* (link: Omit<SignedLink, "until">, lasting: Duration.Input) {
  const text = JSON.stringify({ ...link, until: yield* timeIn(lasting) } satisfies SignedLink)
  return inAddress(yield* (yield* Vault).seal(owner, Redacted.make(text)))
})

/**
 * Reads the content of a signature; undefined if it is forged, expired, or issued for another use.
 *
 * The comparison takes constant time.
 */
export const openLink = Effect.fnUntraced(function* (use: SignedLink["use"], signature: string | null | undefined) {
  if (!/^[\w-]{1,1000}$/.test(signature ?? "")) return undefined
  const text = yield* Effect.option((yield* Vault).tryOpen(owner, Sealed.make(fromAddress(signature ?? ""))))
  if (text._tag === "None") return undefined
  const link = yield* Effect.option(decode(Redacted.value(text.value)))
  if (link._tag === "None" || link.value.use !== use) return undefined
  return link.value.until > (yield* now) ? link.value : undefined
})
