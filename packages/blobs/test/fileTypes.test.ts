import { describe, expect, it } from "@effect/vitest"
import { layerFileTypes } from "@slipway/blobs"
import { FileTypes } from "@slipway/domain/forge/code"
import { Effect } from "effect"

const typeOf = (bytes: Uint8Array | string) =>
  Effect.flatMap(FileTypes, (types) =>
    types.typeOf(typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes)
  ).pipe(Effect.provide(layerFileTypes))

const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(" ", ""), "hex"))

describe("FileTypes", () => {
  it.effect("detect the type of a file from its first bytes, ignoring its name", () =>
    Effect.gen(function* () {
      expect(yield* typeOf(hex("89504e470d0a1a0a 0000000d49484452 00000001 00000001 0806000000 1f15c489"))).toBe(
        "image/png"
      )
      expect(yield* typeOf(hex("ffd8ffe000104a46494600010101"))).toBe("image/jpeg")
      expect(yield* typeOf("%PDF-1.7\n")).toBe("application/pdf")
      expect(yield* typeOf(hex("1f8b0800000000000003"))).toBe("application/gzip")
    })
  )

  it.effect("distinguish text from unknown bytes", () =>
    Effect.gen(function* () {
      expect(yield* typeOf("<script>alert(1)</script>")).toBe("text/plain")
      expect(yield* typeOf("Grüße\n\t")).toBe("text/plain")
      expect(yield* typeOf(new TextEncoder().encode("Grü").subarray(0, 3))).toBe("text/plain")
      expect(yield* typeOf("")).toBe("text/plain")
      for (const bytes of ["00 01 02 03", "ff fe fd 00 01", "61 00 62"]) {
        expect(yield* typeOf(hex(bytes))).toBe("application/octet-stream")
      }
      // A truncated image is recognised quickly.
      expect(yield* typeOf(hex("504b0304"))).toMatch(/^application\//)
    })
  )
})
