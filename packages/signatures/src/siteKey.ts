import { readFile } from "node:fs/promises"
import { type SiteSignature, SiteSigner } from "@slipway/domain/forge/identity"
import { Data, Effect, Layer } from "effect"
import * as ssh from "./ssh.ts"

/** The file with the private key of the site is unusable; the message contains the reason. */
export class SigningKeyUnusable extends Data.TaggedError("SigningKeyUnusable")<{ readonly message: string }> {}

/** The identity of the site, for keys that do not contain one. */
export interface SiteIdentity {
  readonly name: string
  readonly email: string
}

const read = async (text: string, site: SiteIdentity): Promise<SiteSignature> => {
  if (text.includes("PGP PRIVATE KEY")) {
    const { email, keyId, name, publicKey, sign } = await (await import("./pgp.ts")).signerOf(text)
    return {
      key: { kind: "gpg", publicKey },
      named: { kind: "gpg", keyId },
      name: name || site.name,
      email: email || site.email,
      sign: (payload) => Effect.promise(() => sign(payload))
    }
  }
  const { fingerprint, publicKey, sign } = ssh.signerOf(text)
  return {
    key: { kind: "ssh", publicKey },
    named: { kind: "ssh", fingerprint },
    ...site,
    sign: (payload) => Effect.sync(() => sign(payload))
  }
}

/**
 * Signs on behalf of the site, with a private key from a file. The key has no passphrase, and is an armored OpenPGP key
 * or an Ed25519 key as `ssh-keygen` writes it.
 */
export const layerSiteSigner = (file: string, site: SiteIdentity): Layer.Layer<never, SigningKeyUnusable> =>
  Layer.effect(
    SiteSigner,
    Effect.tryPromise({
      try: async () => read(await readFile(file, "utf8"), site),
      catch: (error) =>
        new SigningKeyUnusable({ message: `the signing key ${file} cannot be used: ${(error as Error).message}` })
    })
  )
