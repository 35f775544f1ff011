import { nameKey } from "@slipway/domain"
import { numberIn } from "@slipway/domain/forge/entry"
import { type CheckedKey, type GpgKey, SiteSigner } from "@slipway/domain/forge/identity"
import { type GpgKeyRing, GpgKeys } from "@slipway/forge/identity"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { gpgKeyEndpoints, signingKeyEndpoints } from "../../../api/forge/identity/gpgKeys.ts"
import { zeroTime } from "../base/zeroTime.ts"
import { handle, orMissing } from "../entry/handle.ts"

const showOne = (key: GpgKey, confirmed: ReadonlySet<string>) => ({
  id: key.id,
  primary_key_id: key.primaryKeyId,
  key_id: key.keyId,
  public_key: key.publicKey,
  emails: key.emails.map((email) => ({ email, verified: confirmed.has(nameKey(email)) })),
  can_sign: key.canSign,
  can_encrypt_comms: key.canEncryptComms,
  can_encrypt_storage: key.canEncryptStorage,
  can_certify: key.canCertify,
  verified: key.verified,
  created_at: key.createdAt,
  expires_at: key.expiresAt ?? zeroTime
})

const show = ({ confirmed, key, subkeys }: GpgKeyRing) => ({
  ...showOne(key, confirmed),
  subkeys: subkeys.map((each) => ({ ...showOne(each, confirmed), subkeys: [] }))
})

/** The handlers of the OpenPGP keys of users. */
export const layerGpgKeys = handle(
  gpgKeyEndpoints,
  {
    "account.gpg-key.list": ({ page, proof }) => GpgKeys.listOwn(proof, page),
    "account.gpg-key.create": ({ body, proof }) =>
      GpgKeys.add(proof, { publicKey: body.armored_public_key, signature: body.armored_signature }),
    "account.gpg-key.read": ({ params, proof }) => GpgKeys.readOwn(proof, numberIn(params.id)),
    "account.gpg-key.delete": ({ params, proof }) => GpgKeys.remove(proof, numberIn(params.id)),
    "account.gpg-key.challenge": ({ proof }) =>
      Effect.map(GpgKeys.challenge(proof), (token) => HttpServerResponse.text(token)),
    "account.gpg-key.verify": ({ body, proof }) => GpgKeys.verify(proof, body.key_id, body.armored_signature),
    "user.gpg-key.list": ({ page, proof }) => GpgKeys.listOf(proof, page)
  },
  { show }
)

/** Returns the site's public signing key as text; fails with 404 if the site has no key of this kind. */
const siteKey = (kind: CheckedKey["kind"]) =>
  Effect.gen(function* () {
    const key = (yield* SiteSigner)?.key
    const found = yield* orMissing(key?.kind === kind ? key.publicKey : undefined)
    return HttpServerResponse.text(found.endsWith("\n") ? found : `${found}\n`)
  })

/** The handlers for the endpoints of signing keys; every repository uses the key of the site. */
export const layerSigningKeys = handle(signingKeyEndpoints, {
  "signing-key.gpg.read": () => siteKey("gpg"),
  "signing-key.pub.read": () => siteKey("ssh"),
  "repository.signing-key.gpg.read": () => siteKey("gpg"),
  "repository.signing-key.pub.read": () => siteKey("ssh")
})
