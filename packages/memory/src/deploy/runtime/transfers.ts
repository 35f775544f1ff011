import { BundleCipher, BundleNotDecrypted, largestBundle } from "@slipway/domain/deploy/runtime"
import { Effect, Layer, Redacted } from "effect"

const encoder = new TextEncoder()

/** Returns a sum over a text that changes with each character. */
const sumOf = (text: string): number => [...text].reduce((sum, each) => (sum * 31 + each.charCodeAt(0)) % 1_000_003, 7)

/** Simulates the encryption of bundles: the passphrase, a number and a sum precede the readable text. */
export const bundleCipher: Layer.Layer<BundleCipher> = Layer.sync(BundleCipher, () => {
  let count = 0
  return {
    encrypt: (text, passphrase) =>
      Effect.sync(() =>
        encoder.encode(`${JSON.stringify([Redacted.value(passphrase), ++count, sumOf(text)])}\n${text}`)
      ),
    decrypt: (bytes, passphrase, most = largestBundle) =>
      Effect.suspend(() => {
        const whole = new TextDecoder().decode(bytes)
        const [, key, sum, text = ""] = /^\["(.*)",\d+,(\d+)\]\n([\s\S]*)$/.exec(whole) ?? []
        const isValid =
          key === JSON.stringify(Redacted.value(passphrase)).slice(1, -1) &&
          Number(sum) === sumOf(text) &&
          encoder.encode(text).length <= most
        return isValid ? Effect.succeed(text) : Effect.fail(new BundleNotDecrypted())
      })
  }
})
