import { nameKey } from "@slipway/domain"
import {
  CommitSignatures,
  ObjectId,
  parseCommit,
  Signatures,
  type SignedObject,
  type Signer,
  signedContent,
  type Verification
} from "@slipway/domain/forge/code"
import type { SshKey, User, UserId } from "@slipway/domain/forge/identity"
import {
  type CheckedKey,
  canSee,
  emails,
  type GpgKey,
  gpgKeys,
  nobody,
  SignatureChecker,
  type SignatureKey,
  SiteSigner,
  SshKeyStore,
  UserStore,
  usersByEmail
} from "@slipway/domain/forge/identity"
import { Effect, Layer } from "effect"

/** How many keys of one user are checked, including subkeys. */
const mostKeys = 200

/** The reason codes of an unverified signature in API responses, as in Gitea. */
export const verificationReasons = {
  unreadable: "gpg.error.extract_sign",
  noAccount: "gpg.error.no_committer_account",
  noKey: "gpg.error.no_gpg_keys_found",
  bad: "gpg.error.probable_bad_signature"
} as const

/** The keys of a possible signer. */
interface Keys {
  readonly user: Pick<User, "fullName" | "name"> | undefined
  readonly gpg: ReadonlyArray<GpgKey>
  readonly ssh: ReadonlyArray<SshKey>
}

/**
 * Returns the committer's key that made a signature; undefined if the committer has no such key.
 *
 * A GPG key without proven ownership is used only if the key contains the committer's email address.
 */
const keyNamed = (named: SignatureKey, { gpg, ssh }: Keys, email: string): CheckedKey | undefined => {
  if (named.kind === "ssh") {
    const found = ssh.find(({ fingerprint }) => fingerprint === named.fingerprint)
    return found && { kind: "ssh", publicKey: found.publicKey }
  }
  const found = gpg.find(({ keyId }) => keyId === named.keyId)
  const primary =
    found === undefined || found.primaryKeyId === "" ? found : gpg.find(({ keyId }) => keyId === found.primaryKeyId)
  if (found === undefined || primary === undefined || !found.canSign) return undefined
  const isTheirs = primary.verified || primary.emails.some((each) => nameKey(each) === nameKey(email))
  return isTheirs ? { kind: "gpg", publicKey: primary.publicKey } : undefined
}

const isSame = (one: SignatureKey, other: SignatureKey): boolean =>
  one.kind === "gpg"
    ? other.kind === "gpg" && one.keyId === other.keyId
    : other.kind === "ssh" && one.fingerprint === other.fingerprint

const labelOf = (key: SignatureKey): string => (key.kind === "gpg" ? key.keyId : key.fingerprint)

const decoder = new TextDecoder()

const make = Effect.gen(function* () {
  const checker = yield* SignatureChecker
  const addressStore = yield* emails.store
  const users = yield* UserStore
  const sshKeys = yield* SshKeyStore
  const gpg = yield* gpgKeys.store
  const site = yield* SiteSigner

  /** Reads the keys of the users that confirmed the committers' email addresses, in one query per key type. */
  const keysBehind = Effect.fnUntraced(function* (signed: ReadonlyArray<SignedObject>) {
    const addresses = [
      ...new Set(signed.flatMap(({ committer }) => (committer === undefined ? [] : [committer.email])))
    ]
    const owners = yield* Effect.provideService(usersByEmail(addresses), emails.store, addressStore)
    const ids = [...new Set(owners.values())]
    if (ids.length === 0) return () => undefined
    const gpgOf = yield* gpg.listFor("userId", ids, mostKeys)
    const sshOf = yield* sshKeys.ofUsers(ids, mostKeys)
    // A signer who is not public is not named, but the signature counts.
    const found = yield* users.findMany(nobody, ids)
    const seen = new Map([...found].filter(([, user]) => canSee(nobody)(user)))
    const keys = new Map<UserId, Keys>(
      ids.map((id) => [id, { user: seen.get(id), gpg: gpgOf.get(id) ?? [], ssh: sshOf.get(id) ?? [] }])
    )
    return (email: string): Keys | undefined => {
      const id = owners.get(email)
      return id === undefined ? undefined : keys.get(id)
    }
  })

  const judged = Effect.fnUntraced(function* (
    { committer, payload, signature }: SignedObject,
    keysOf: (email: string) => Keys | undefined
  ) {
    const answer = (verified: boolean, reason: string, signer?: Signer): Verification => ({
      verified,
      reason,
      signature,
      payload: decoder.decode(payload),
      signer
    })
    const named = yield* checker.keyOf(signature)
    if (named === undefined) return answer(false, verificationReasons.unreadable)
    if (site !== undefined && isSame(site.named, named)) {
      const signer = { name: site.name, email: site.email, username: "" }
      return (yield* checker.check(signature, payload, site.key))
        ? answer(true, `${site.name} / ${labelOf(named)}`, signer)
        : answer(false, verificationReasons.bad)
    }
    const email = committer?.email ?? ""
    const keys = keysOf(email)
    if (keys === undefined) return answer(false, verificationReasons.noAccount)
    const key = keyNamed(named, keys, email)
    if (key === undefined) return answer(false, verificationReasons.noKey)
    const name = keys.user?.fullName || keys.user?.name || committer?.name || email
    return (yield* checker.check(signature, payload, key))
      ? answer(true, `${name} / ${labelOf(named)}`, { name, email, username: keys.user?.name ?? "" })
      : answer(false, verificationReasons.bad)
  })

  return Effect.fnUntraced(function* (signed: ReadonlyArray<SignedObject>) {
    const keysOf = yield* keysBehind(signed)
    return yield* Effect.forEach(signed, (each) => judged(each, keysOf))
  })
})

const signaturesLayer = Layer.effect(
  Signatures,
  Effect.map(make, (verify) => ({ verify }))
)

const nowhere = ObjectId.make("0".repeat(40))

const commitsLayer = Layer.effect(
  CommitSignatures,
  Effect.map(make, (verify) => ({
    count: (commit: Uint8Array) => {
      const { committer, signature } = parseCommit(nowhere, commit)
      if (signature === undefined) return Effect.succeed(false)
      const signed = { signature, payload: signedContent("commit", commit), committer }
      return Effect.map(verify([signed]), ([verification]) => verification?.verified === true)
    }
  }))
)

/** Layer that verifies signatures of commits and tags against the keys of users and of the site. */
export const layerVerification = Layer.merge(signaturesLayer, commitsLayer)
