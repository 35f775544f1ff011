import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Digest } from "effect/crypto"
import { layerCryptography } from "../../src/node/cryptography.ts"

const abc = new TextEncoder().encode("abc")

layer(layerCryptography)("digests", (it) => {
  it.effect("equal the values in the standards for `abc`", () =>
    Effect.gen(function* () {
      const { digest, digestHex } = yield* Digest.Digest
      const { md5, sha1, sha256, sha384, sha512 } = Digest
      const begins = yield* Effect.forEach([md5, sha1, sha256, sha384, sha512], (each) =>
        Effect.map(digestHex(each, abc), (hex) => [hex.slice(0, 16), hex.length])
      )
      expect(begins).toEqual([
        ["900150983cd24fb0", 32],
        ["a9993e364706816a", 40],
        ["ba7816bf8f01cfea", 64],
        ["cb00753f45a35e8b", 96],
        ["ddaf35a193617aba", 128]
      ])
      const bytes = yield* digest(sha256, abc)
      expect(bytes).toBeInstanceOf(Uint8Array)
      expect([bytes.length, ...bytes.slice(0, 4)]).toEqual([32, 0xba, 0x78, 0x16, 0xbf])
    })
  )
})
