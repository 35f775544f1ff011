import { promisify } from "node:util"
import { gunzip, gzip } from "node:zlib"
import { BundleCipher, BundleNotDecrypted, largestBundle } from "@slipway/domain/deploy/runtime"
import { Effect, Layer, Redacted } from "effect"
import { passphraseIdentity, passphraseRecipient } from "./passphrases.ts"

const [compress, decompress] = [promisify(gzip), promisify(gunzip)]

// Transfers are rare: the library is loaded on demand.
const library = Effect.promise(() => import("age-encryption"))

/** Provides the encryption of bundles with passphrases in the age format. */
export const layerBundleCipher: Layer.Layer<BundleCipher> = Layer.succeed(BundleCipher, {
  encrypt: (text, passphrase) =>
    Effect.flatMap(library, ({ Encrypter, Stanza }) =>
      Effect.promise(async () => {
        const encrypter = new Encrypter()
        const makeStanza = (args: Array<string>, body: Uint8Array) => new Stanza(args, body)
        encrypter.addRecipient(passphraseRecipient(Redacted.value(passphrase), makeStanza))
        return encrypter.encrypt(await compress(text))
      })
    ),
  decrypt: (bytes, passphrase, most = largestBundle) =>
    Effect.flatMap(library, ({ Decrypter }) =>
      Effect.tryPromise({
        try: async () => {
          const decrypter = new Decrypter()
          decrypter.addIdentity(passphraseIdentity(Redacted.value(passphrase)))
          const text = await decompress(await decrypter.decrypt(bytes), { maxOutputLength: most })
          return new TextDecoder("utf-8", { fatal: true }).decode(text)
        },
        catch: () => new BundleNotDecrypted()
      })
    )
})
