import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { SignatureChecker, SiteSigner } from "@slipway/domain/forge/identity"
import { layerSignatureChecker, layerSiteSigner } from "@slipway/signatures"
import {
  annsKey,
  annsSignature,
  bobsKey,
  bobsPrivateKey,
  notForGit,
  revokedKey,
  signedCommit,
  sshPrivateKey,
  sshSigned,
  weakKey
} from "@slipway/testkit/forge"
import { Effect } from "effect"

const bytes = new TextEncoder().encode(signedCommit)
const other = new TextEncoder().encode(`${signedCommit}.`)
const checker = Effect.provide(SignatureChecker, layerSignatureChecker)
const [ed25519, ecdsa, rsa] = sshSigned.map(({ publicKey, signature }) => ({
  key: { kind: "ssh", publicKey } as const,
  signature
}))

describe("OpenPGP keys", () => {
  it.effect("are read with their email addresses and subkeys", () =>
    Effect.gen(function* () {
      const { publicKey, ...key } = yield* (yield* checker).readKey(annsKey)
      const none = { canSign: false, canEncryptComms: false, canEncryptStorage: false, canCertify: false }
      const alike = { createdAt: "2024-01-02T03:04:05.000Z", expiresAt: null }
      expect(key).toEqual({
        ...none,
        ...alike,
        canSign: true,
        canCertify: true,
        keyId: "E777E478CBBE7E16",
        emails: ["ann@example.com"],
        subkeys: [
          { ...none, ...alike, canEncryptComms: true, canEncryptStorage: true, keyId: "46C5AD0691BA8E31" },
          { ...none, ...alike, canSign: true, keyId: "69D0783557447736" }
        ]
      })
      expect((yield* (yield* checker).readKey(publicKey)).keyId).toBe("E777E478CBBE7E16")
    })
  )

  it.effect("are refused with a reason if they are private, revoked or weak, or if there is not exactly one", () =>
    Effect.gen(function* () {
      const { readKey } = yield* checker
      const reason = (text: string) => Effect.map(Effect.flip(readKey(text)), ({ because }) => because)
      const form = "Must be one armored public OpenPGP key, as from `gpg --armor --export`."
      expect(yield* reason(bobsPrivateKey)).toBe(
        "This is a private key: keep it secret, and send the output of `gpg --armor --export`."
      )
      expect(yield* reason(revokedKey)).toBe("This key is revoked.")
      expect(yield* reason(weakKey)).toBe("RSA keys need 2048 bits or more.")
      for (const text of ["", "x", annsKey.slice(0, 300), annsSignature, "A".repeat(100_000)]) {
        expect(yield* reason(text)).toBe(form)
      }
    })
  )
})

describe("signatures", () => {
  it.effect("name the key that signed", () =>
    Effect.gen(function* () {
      const { keyOf } = yield* checker
      expect(yield* keyOf(annsSignature)).toEqual({ kind: "gpg", keyId: "69D0783557447736" })
      expect(yield* keyOf(ed25519?.signature ?? "")).toEqual({
        kind: "ssh",
        fingerprint: "SHA256:J9pevDv6Ty8N23srChdIayyBzPiisHlRBcXsECZ0Hss"
      })
      const cut = ed25519?.signature.replace("U1NIU0lH", "U1NIU0lHAAAA") ?? ""
      for (const text of ["", "x", notForGit, cut, annsKey, annsSignature.slice(0, 120)]) {
        expect(yield* keyOf(text)).toBeUndefined()
      }
    })
  )

  it.effect("are valid only for the exact bytes and the exact key", () =>
    Effect.gen(function* () {
      const { check } = yield* checker
      const ann = { kind: "gpg", publicKey: annsKey } as const
      const bob = { kind: "gpg", publicKey: bobsKey } as const
      expect(yield* check(annsSignature, bytes, ann)).toBe(true)
      expect(yield* check(annsSignature, other, ann)).toBe(false)
      expect(yield* check(annsSignature, bytes, bob)).toBe(false)
      expect(yield* check("x", bytes, ann)).toBe(false)
      for (const made of [ed25519, ecdsa, rsa]) {
        if (made === undefined) throw new Error("a key is missing")
        expect(yield* check(made.signature, bytes, made.key)).toBe(true)
        expect(yield* check(made.signature, other, made.key)).toBe(false)
        expect(yield* check(made.signature, bytes, made === rsa ? (ecdsa?.key ?? ann) : (rsa?.key ?? ann))).toBe(false)
      }
      expect(yield* check(notForGit, bytes, ed25519?.key ?? ann)).toBe(false)
    })
  )
})

describe("the key of the site", () => {
  for (const [kind, text] of [
    ["gpg", bobsPrivateKey],
    ["ssh", sshPrivateKey]
  ] as const) {
    it.effect(`signs with ${kind} in a form that other programs verify`, () =>
      Effect.gen(function* () {
        const folder = mkdtempSync(join(tmpdir(), "slipway-signing-"))
        yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
        const file = join(folder, "key")
        writeFileSync(file, text)
        const site = yield* Effect.provide(
          SiteSigner,
          layerSiteSigner(file, { name: "Site", email: "site@example.com" })
        )
        if (site === undefined) throw new Error("there is no key")
        const { check, keyOf } = yield* checker
        const signature = yield* site.sign(bytes)
        expect(yield* keyOf(signature)).toEqual(site.named)
        expect(yield* check(signature, bytes, site.key)).toBe(true)
        expect(yield* check(signature, other, site.key)).toBe(false)
        expect(site.name).toBe(kind === "gpg" ? "bob" : "Site")
      })
    )
  }
})
