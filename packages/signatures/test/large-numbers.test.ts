import { createHash } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import { processorTime } from "../../../scripts/vitest/processor.ts"
import { readKey } from "../src/pgp.ts"

const dsa = 17
const revocation = 0x20

const u16 = (number: number) => Buffer.from([number >> 8, number & 0xff])
const u32 = (number: number) => Buffer.concat([u16(number >>> 16), u16(number & 0xffff)])

/** Returns an odd number of so many bytes in OpenPGP format. */
const number = (length: number, first: number) => {
  const bytes = Buffer.alloc(length, 0x5b)
  bytes[0] = first
  return Buffer.concat([u16((length - 1) * 8 + 32 - Math.clz32(first)), bytes])
}

const packet = (tag: number, body: Buffer) => Buffer.concat([Buffer.from([0xc0 | tag, 0xff]), u32(body.length), body])

/** Returns a DSA key with numbers of so many bytes and a revocation that only a computation can reject. */
const revokedKey = (length: number): string => {
  const numbers = [number(length, 0xff), number(length, 0xff), number(length, 0x7f), number(length, 0x7f)]
  const key = Buffer.concat([Buffer.from([4]), u32(1_700_000_000), Buffer.from([dsa]), ...numbers])
  const named = Buffer.concat([Buffer.from([0x99]), u16(key.length), key])
  const issuer = createHash("sha1").update(named).digest().subarray(-8)
  const told = Buffer.concat([Buffer.from([5, 2]), u32(1_700_000_001), Buffer.from([9, 16]), issuer])
  const head = Buffer.concat([Buffer.from([4, revocation, dsa, 8]), u16(told.length), told])
  const hash = createHash("sha256")
    .update(Buffer.concat([named, head, Buffer.from([4, 0xff]), u32(head.length)]))
    .digest()
  const made = [number(length, 0x7f), number(length, 0x7f)]
  const signature = Buffer.concat([head, u16(0), hash.subarray(0, 2), ...made])
  const packets = Buffer.concat([packet(6, key), packet(2, signature), packet(13, Buffer.from("Ann <ann@a.example>"))])
  const lines = packets.toString("base64").match(/.{1,64}/g) ?? []
  return ["-----BEGIN PGP PUBLIC KEY BLOCK-----", "", ...lines, "-----END PGP PUBLIC KEY BLOCK-----", ""].join("\n")
}

describe("a key with large numbers", () => {
  it("is rejected before any computation with them (I25)", async () => {
    const text = revokedKey(1_024)
    const time = processorTime()
    expect(await readKey(text)).toMatchObject({
      _tag: "GpgKeyInvalid",
      because: "DSA keys are too weak: create one with `gpg --quick-gen-key`."
    })
    // It took a second for these, and eight times as long for numbers twice as large.
    expect(time()).toBeLessThan(500)
  })
})
