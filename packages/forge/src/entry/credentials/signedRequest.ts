import { now, timeOf } from "@slipway/domain"
import { SiteSettings } from "@slipway/domain/forge/base"
import { IssueStore } from "@slipway/domain/forge/collaboration"
import type { Credential, SshKey, User } from "@slipway/domain/forge/identity"
import {
  hashOf,
  type RequestSignature,
  RequestSignatures,
  type SignedRequest,
  SshKeyStore,
  spentSignatures,
  UserStore
} from "@slipway/domain/forge/identity"
import { DateTime, Effect, Option } from "effect"
import { Digest } from "effect/crypto"
import { Base64 } from "effect/encoding"

/** How long a request signature is valid, in seconds. `ahead` is the tolerated difference of clocks. */
const lasts = 300
const ahead = 60

/** The parts of a request that a signature must cover: at least one part of each row. */
const needed: ReadonlyArray<ReadonlyArray<string>> = [
  ["@method"],
  ["@path", "@request-target", "@target-uri"],
  ["@query", "@request-target", "@target-uri"],
  ["@created", "date"]
]

/**
 * The parts that must also be covered by a signature of the final standard (RFC 9421), so that it is valid only for
 * this site. Clients of the earlier draft do not sign them.
 */
const neededByStandard: typeof needed = [["@authority", "@target-uri", "host"]]

/** The name of the request header that contains the SSH certificate of the signing key. */
const certificateHeader = "x-ssh-certificate"
/** The maximum number of principals (user names) of a certificate that are looked up. */
const mostPrincipals = 50

/** The names of the headers that can contain a digest of the body. */
const digests: ReadonlyArray<string> = ["content-digest", "digest"]

/** Returns the parts of a request that its signature must cover. */
const neededFor = ({ body, headers }: SignedRequest, { scheme }: RequestSignature): typeof needed => [
  ...needed,
  ...(scheme === "draft" ? [] : neededByStandard),
  ...["sudo", certificateHeader].flatMap((name) => (headers[name] === undefined ? [] : [[name]])),
  ...(body === undefined || body.length === 0 ? [] : [digests])
]

/** Returns the creation time of a signature in seconds since 1970; undefined if the signature does not cover it. */
const madeAt = ({ headers }: SignedRequest, { covers, created }: RequestSignature): number | undefined =>
  covers.has("@created")
    ? created
    : Option.getOrUndefined(
        Option.map(DateTime.make(headers.date ?? ""), (date) => DateTime.toEpochMillis(date) / 1_000)
      )

const algorithms = { "sha-256": Digest.sha256, "sha-512": Digest.sha512 } as const

/** Matches a body digest: `sha-256=:…:` of RFC 9530, or `SHA-256=…` of the older `Digest` header. */
const digestForm = /(?:^|[,\s])(sha-(?:256|512))=(:?)([A-Za-z0-9+/]+={0,2})\2(?=[,\s]|$)/gi

/** Returns whether the body matches all signed digests; at least one digest must be signed. */
const isBody = Effect.fnUntraced(function* ({ body, headers }: SignedRequest, { covers }: RequestSignature) {
  if (body === undefined || body.length === 0) return true
  const digest = yield* Digest.Digest
  const stated = digests.flatMap((name) => (covers.has(name) ? [...(headers[name] ?? "").matchAll(digestForm)] : []))
  for (const [, name = "", , encoded] of stated) {
    const algorithm = algorithms[name.toLowerCase() as keyof typeof algorithms]
    if (Base64.encode(yield* digest.digest(algorithm, body)) !== encoded) return false
  }
  return stated.length > 0
})

/** Marks a signature as used, for all processes. Returns false if it was used before (replay). */
const spend = Effect.fnUntraced(function* (publicKey: string, { base }: RequestSignature, createdAt: number) {
  const expiresAt = timeOf((createdAt + lasts + ahead) * 1_000)
  const hash = yield* hashOf(`${publicKey}\n${base}`)
  return yield* Effect.orDie((yield* spentSignatures.store).insertIfAbsent({ hash, expiresAt }))
})

/** Deletes used signatures that have expired, and returns their number. */
export const forgetSpentSignatures = Effect.gen(function* () {
  const before = yield* now
  return yield* (yield* spentSignatures.store).removeEverywhere({ expiresAt: { before } })
})

/** A user who may have signed a request, with the public key. */
interface Candidate {
  readonly user: User
  readonly publicKey: string
  /** The stored SSH key of the user; undefined if the request was signed with a certified key. */
  readonly key: SshKey | undefined
}

/** Finds the user who owns an SSH key, by its fingerprint. */
const holderOf = Effect.fnUntraced(function* (fingerprint: string) {
  const key = yield* (yield* SshKeyStore).byFingerprint(fingerprint)
  const user = key?.holder.kind === "user" ? yield* (yield* UserStore).find(key.holder.userId) : undefined
  return key && user && ({ user, publicKey: key.publicKey, key } satisfies Candidate)
})

/**
 * Finds the user that an SSH certificate is valid for: the first of its principals that exists. The certificate must be
 * signed by a trusted authority.
 */
const certified = Effect.fnUntraced(function* (text: string, present: number) {
  const certificate = yield* (yield* RequestSignatures).certificate(text)
  const { signIn } = yield* SiteSettings
  if (certificate === undefined || signIn.trustedAuthorities?.includes(certificate.authority) !== true) return undefined
  const { holder, options, principals, publicKey, validAfter, validBefore } = certificate
  // Critical options are unsupported, and a certificate without principals would be valid for every user.
  if (holder !== "user" || options.length > 0 || present < validAfter || present >= validBefore) return undefined
  const names = principals.slice(0, mostPrincipals)
  const known = yield* (yield* IssueStore).usersNamed(names)
  const id = names.map((name) => known.get(name)).find((each) => each !== undefined)
  const user = id === undefined ? undefined : yield* (yield* UserStore).find(id)
  return user && ({ user, publicKey, key: undefined } satisfies Candidate)
})

/**
 * Authenticates the user who signed a request. The signature is marked as used, unless this request was authenticated
 * before.
 *
 * A signature is valid for five minutes, and only once. A hash of the signed content is stored, not the signature
 * itself, because some signatures have several valid encodings.
 */
export const signerOf = Effect.fnUntraced(function* ({
  again,
  request
}: Extract<Credential, { readonly _tag: "Signature" }>) {
  const unreadable: Credential = { _tag: "Unreadable" }
  const { check, read } = yield* RequestSignatures
  const signature = yield* read(request)
  if (signature === undefined) return unreadable
  if (!neededFor(request, signature).every((names) => names.some((name) => signature.covers.has(name)))) {
    return unreadable
  }
  const signedAt = madeAt(request, signature)
  const present = DateTime.toEpochMillis(yield* DateTime.now) / 1_000
  if (signedAt === undefined) return unreadable
  const isTimely =
    signedAt <= present + ahead && present <= signedAt + lasts && present <= (signature.expires ?? present)
  // A request with a slow body was in time when it arrived.
  if (!(isTimely || again) || !(yield* isBody(request, signature))) return unreadable
  const certificate = request.headers[certificateHeader]
  const candidate =
    certificate === undefined ? yield* holderOf(signature.keyId) : yield* certified(certificate, present)
  if (candidate === undefined || !(yield* check(request, candidate.publicKey))) return unreadable
  const { key, publicKey, user } = candidate
  if (!(again || (yield* spend(publicKey, signature, signedAt)))) return unreadable
  return { _tag: "Signer", userId: user.id, name: user.name, key } satisfies Credential
})
