import { createHash } from "node:crypto"
import { KeyReader, UnusableKey } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer, Redacted } from "effect"
import ssh2 from "ssh2"

const form = "Must be a private SSH key in OpenSSH or PEM form"

const read = (text: string): Effect.Effect<{ publicKey: string; fingerprint: string }, UnusableKey> => {
  const refuse = (because: string) => Effect.fail(new UnusableKey({ because }))
  const parsed = ssh2.utils.parseKey(text)
  if (parsed instanceof Error) {
    return /encrypted|passphrase/i.test(parsed.message)
      ? refuse("The key is protected by a passphrase; store it without one, it is encrypted here.")
      : refuse(`${form}.`)
  }
  if (!parsed.isPrivateKey()) return refuse(`${form}; this is the public half.`)
  const blob = parsed.getPublicSSH()
  const comment = parsed.comment === "" ? "" : ` ${parsed.comment}`
  return Effect.succeed({
    publicKey: `${parsed.type} ${blob.toString("base64")}${comment}`,
    fingerprint: `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`
  })
}

/** Reads and generates private SSH keys with the ssh2 library. */
export const layerKeyReader = Layer.succeed(KeyReader, {
  generate: Effect.sync(() => {
    const { private: privateKey, public: publicKey } = ssh2.utils.generateKeyPairSync("ed25519")
    return { privateKey: Redacted.make(privateKey), publicKey: publicKey.trim() }
  }),
  // A text on which the library's parser throws isn't a key either.
  read: (privateKey) =>
    Effect.catchDefect(
      Effect.suspend(() => read(Redacted.value(privateKey))),
      () => Effect.fail(new UnusableKey({ because: `${form}.` }))
    )
})
