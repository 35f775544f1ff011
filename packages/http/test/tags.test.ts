import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { digestOf } from "../src/server/wire/tags.ts"

const long = "ä".repeat(5_000)

describe("the digest of a response's ETag", () => {
  it("is equal for a text and its bytes, of any length", () => {
    for (const text of ["", "{}", long, long.repeat(40), "x".repeat(5_000_000)]) {
      expect(digestOf(text)).toBe(digestOf(Buffer.from(text)))
    }
  })

  it("differs when one character of a long text differs, at any position", () => {
    const of = (at: number) => digestOf(`${"x".repeat(at)}y${"x".repeat(20_000 - at)}`)
    const all = [0, 1, 9_999, 19_999, 20_000].map(of)
    expect(new Set([...all, digestOf("x".repeat(20_001)), digestOf("x".repeat(20_000))]).size).toBe(7)
  })

  it("has the same value in every process", async () => {
    expect(digestOf("{}")).toBe(createHash("sha1").update("{}").digest("hex"))
    const key = await crypto.subtle.importKey("raw", new Uint8Array(16), "AES-GCM", false, ["encrypt"])
    const additionalData = new TextEncoder().encode(long)
    const sealed = await crypto.subtle.encrypt(
      { name: "AES-GCM", iv: new Uint8Array(12), additionalData },
      key,
      new Uint8Array()
    )
    expect(digestOf(long)).toBe(Buffer.from(sealed).toString("hex"))
  })
})
