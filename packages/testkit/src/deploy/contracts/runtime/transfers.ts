import { assert } from "@effect/vitest"
import type { SshAccess } from "@slipway/domain/deploy/containers"
import { BundleCipher, BundleNotDecrypted, ServerFiles } from "@slipway/domain/deploy/runtime"
import { Context, Effect, Redacted } from "effect"
import type { Contract } from "../../../contract.ts"

const passphrase = Redacted.make('a passphrase with "quotes" and \\ signs')

/** Contract tests of the encryption of bundles. Every implementation must pass them. */
export const bundleCipher: Contract<BundleCipher> = {
  port: "BundleCipher",
  musts: {
    "decrypt a text with its passphrase": Effect.gen(function* () {
      const { decrypt, encrypt } = yield* BundleCipher
      for (const text of ["", "a text", "größe\n\u0000\u{1f600}", "long ".repeat(100_000)]) {
        assert.strictEqual(yield* decrypt(yield* encrypt(text, passphrase), passphrase), text)
      }
    }),
    "encrypt the same text differently each time": Effect.gen(function* () {
      const { encrypt } = yield* BundleCipher
      assert.notDeepEqual(yield* encrypt("a text", passphrase), yield* encrypt("a text", passphrase))
    }),
    "reject another passphrase, and bytes that are incomplete or changed": Effect.gen(function* () {
      const { decrypt, encrypt } = yield* BundleCipher
      const encrypted = yield* encrypt("a text", passphrase)
      const rejects = (bytes: Uint8Array, given: Redacted.Redacted) =>
        Effect.map(Effect.flip(decrypt(bytes, given)), (error) =>
          assert.deepStrictEqual(error, new BundleNotDecrypted())
        )
      yield* rejects(encrypted, Redacted.make("another passphrase"))
      yield* rejects(new Uint8Array(), passphrase)
      for (const end of [1, 10, encrypted.length - 1]) yield* rejects(encrypted.subarray(0, end), passphrase)
      const changed = encrypted.map((byte, place) => (place === encrypted.length - 1 ? byte ^ 1 : byte))
      yield* rejects(changed, passphrase)
    }),
    "reject a text that exceeds the limit after its decompression": Effect.gen(function* () {
      const { decrypt, encrypt } = yield* BundleCipher
      const encrypted = yield* encrypt("a".repeat(10_000), passphrase)
      assert.deepStrictEqual(yield* Effect.flip(decrypt(encrypted, passphrase, 9_999)), new BundleNotDecrypted())
      assert.strictEqual((yield* decrypt(encrypted, passphrase, 10_000)).length, 10_000)
    })
  }
}

/** A server that the contract tests write files on. */
export class ServerFileWorld extends Context.Service<
  ServerFileWorld,
  {
    readonly access: SshAccess
    /** Reads a file by its absolute path, with its permissions. */
    readonly read: (path: string) => Effect.Effect<{ readonly text: string; readonly mode: number }>
  }
>()("@slipway/testkit/deploy/ServerFileWorld") {}

/** Contract tests of the files of the platform on servers. Every implementation must pass them. */
export const serverFiles: Contract<ServerFiles | ServerFileWorld> = {
  port: "ServerFiles",
  musts: {
    "write a file that only its owner can read, in missing folders too": Effect.gen(function* () {
      const { access, read } = yield* ServerFileWorld
      const path = yield* (yield* ServerFiles).write(access, "folder/inner/file.json", '{"größe": 1}\n')
      assert.isTrue(path.endsWith("/folder/inner/file.json"))
      assert.deepStrictEqual(yield* read(path), { text: '{"größe": 1}\n', mode: 0o600 })
    }),
    "replace an existing file as a whole": Effect.gen(function* () {
      const { access, read } = yield* ServerFileWorld
      const { write } = yield* ServerFiles
      yield* write(access, "file", "a longer text")
      const path = yield* write(access, "file", "short")
      assert.deepStrictEqual(yield* read(path), { text: "short", mode: 0o600 })
    })
  }
}
