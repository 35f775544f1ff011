import { GpgKeyInvalid, SignatureChecker } from "@slipway/domain/forge/identity"
import { Effect, Layer } from "effect"
import * as ssh from "./ssh.ts"

// The library is large, and loaded for the first key or signature.
const pgp = Effect.promise(() => import("./pgp.ts"))

const longest = 64 * 1024
const isPgp = (signature: string) => /^-----BEGIN PGP (SIGNATURE|MESSAGE)-----/.test(signature)

/** Runs a parser, and returns `otherwise` if parsing fails, because the input is untrusted. */
const orElse = <A>(work: () => Promise<A>, otherwise: A): Effect.Effect<A> =>
  Effect.catchCause(Effect.promise(work), (cause) =>
    cause.reasons.some((reason) => reason._tag === "Interrupt") ? Effect.failCause(cause) : Effect.succeed(otherwise)
  )

/** Reads keys and verifies signatures. Uses OpenPGP.js for OpenPGP, and Node's cryptography for SSH. */
export const layerSignatureChecker = Layer.succeed(SignatureChecker, {
  readKey: (text) =>
    Effect.gen(function* () {
      const { readKey } = yield* pgp
      const invalid = new GpgKeyInvalid({ because: "This is not a readable OpenPGP key." })
      const read = yield* orElse(() => readKey(text), invalid)
      return read instanceof GpgKeyInvalid ? yield* read : read
    }),
  keyOf: (text) =>
    Effect.gen(function* () {
      const signature = text.trim()
      if (signature.length > longest) return undefined
      if (isPgp(signature)) {
        const { keyOf } = yield* pgp
        const keyId = yield* orElse(() => keyOf(signature), undefined)
        return keyId === undefined ? undefined : { kind: "gpg" as const, keyId }
      }
      const fingerprint = yield* orElse(async () => ssh.fingerprintIn(signature), undefined)
      return fingerprint === undefined ? undefined : { kind: "ssh" as const, fingerprint }
    }),
  check: (text, signed, key) =>
    Effect.gen(function* () {
      const signature = text.trim()
      if (signature.length > longest) return false
      if (key.kind === "ssh") return yield* orElse(async () => ssh.check(signature, signed, key), false)
      const { check } = yield* pgp
      return isPgp(signature) && (yield* orElse(() => check(signature, signed, key), false))
    })
})
