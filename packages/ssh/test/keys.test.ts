import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { KeyReader } from "@slipway/domain/deploy/infrastructure"
import { Effect, Redacted } from "effect"
import { layerKeyReader } from "../src/index.ts"

const directory = mkdtempSync(join(tmpdir(), "slipway-keys-"))
process.on("exit", () => rmSync(directory, { recursive: true, force: true }))

let made = 0
const generate = (...options: ReadonlyArray<string>) => {
  const file = join(directory, `key${made++}`)
  execFileSync("ssh-keygen", ["-q", "-C", "me@here", "-f", file, ...options])
  const [, fingerprint = ""] = execFileSync("ssh-keygen", ["-l", "-f", file]).toString().split(" ")
  return { text: readFileSync(file, "utf8"), publicKey: readFileSync(`${file}.pub`, "utf8").trim(), fingerprint }
}
const read = (text: string) =>
  Effect.provide(
    Effect.flatMap(KeyReader, (reader) => reader.read(Redacted.make(text))),
    layerKeyReader
  )

describe("KeyReader", () => {
  it.effect("return the public key and the fingerprint as ssh-keygen prints them", () =>
    Effect.gen(function* () {
      for (const type of [
        ["-t", "ed25519"],
        ["-t", "rsa", "-b", "2048"],
        ["-t", "ecdsa"]
      ]) {
        const key = generate(...type, "-N", "")
        expect(yield* read(key.text)).toEqual({ publicKey: key.publicKey, fingerprint: key.fingerprint })
      }
    })
  )

  it.effect("return the same public key and fingerprint as ssh-keygen for a private key in PEM", () =>
    Effect.gen(function* () {
      const key = generate("-t", "rsa", "-b", "2048", "-m", "PEM", "-N", "")
      const facts = yield* read(key.text)
      expect(facts.fingerprint).toBe(key.fingerprint)
      expect(key.publicKey.startsWith(facts.publicKey)).toBe(true)
    })
  )

  it.effect("reject a key with a passphrase", () =>
    Effect.gen(function* () {
      const { because } = yield* Effect.flip(read(generate("-t", "ed25519", "-N", "secret").text))
      expect(because).toContain("passphrase")
    })
  )

  it.effect("reject a text that is not a private key", () =>
    Effect.gen(function* () {
      const { publicKey, text } = generate("-t", "ed25519", "-N", "")
      const cut = text.slice(0, text.length / 2)
      for (const wrong of ["", "key", publicKey, cut, "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n", "\0"]) {
        const error = yield* Effect.flip(read(wrong))
        expect(error._tag).toBe("UnusableKey")
      }
    })
  )

  it.effect("generate a different Ed25519 key each time, in a form that ssh-keygen reads", () =>
    Effect.gen(function* () {
      const { generate } = yield* KeyReader
      const [one, other] = [yield* generate, yield* generate]
      const file = join(directory, "generated")
      writeFileSync(file, Redacted.value(one.privateKey), { mode: 0o600 })
      const publicKey = execFileSync("ssh-keygen", ["-y", "-f", file]).toString().trim()
      expect(publicKey).toMatch(/^ssh-ed25519 /)
      expect(one.publicKey).toBe(publicKey)
      expect((yield* read(Redacted.value(one.privateKey))).publicKey).toBe(publicKey)
      expect(other.publicKey).not.toBe(publicKey)
    }).pipe(Effect.provide(layerKeyReader))
  )
})
