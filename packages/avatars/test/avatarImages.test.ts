import { describe, expect, it } from "@effect/vitest"
import { AvatarImages, avatarSide, longestSide } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import sharp from "sharp"
import { layerAvatarImages } from "../src/index.ts"

const square = (sent: Uint8Array) =>
  Effect.provide(
    Effect.flatMap(AvatarImages, (pictures) => pictures.square(sent)),
    layerAvatarImages
  )

const red = { r: 255, g: 0, b: 0 }
const blue = { r: 0, g: 0, b: 255 }

/** A picture with a red left half and a blue right half. */
const halves = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: blue } }).composite([
    {
      input: { create: { width: Math.ceil(width / 2), height, channels: 3, background: red } },
      left: 0,
      top: 0
    }
  ])

const bytes = (make: () => Promise<Buffer>) => Effect.map(Effect.promise(make), (buffer) => new Uint8Array(buffer))

const described = (picture: Uint8Array) => Effect.promise(() => sharp(picture).metadata())

const pixel = (picture: Uint8Array, left: number, top: number) =>
  Effect.promise(async () => {
    const { data } = await sharp(picture)
      .extract({ left, top, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true })
    return [...data.subarray(0, 3)].map((value) => (value > 127 ? 255 : 0))
  })

describe("AvatarImages", () => {
  it.effect("make a square PNG of the centre of an image, in the stored size", () =>
    Effect.gen(function* () {
      const made = yield* square(yield* bytes(() => halves(600, 200).png().toBuffer()))
      const { format, height, width } = yield* described(made)
      expect([format, width, height]).toEqual(["png", avatarSide, avatarSide])
      expect(yield* pixel(made, 20, 145)).toEqual([255, 0, 0])
      expect(yield* pixel(made, 270, 145)).toEqual([0, 0, 255])
      const grown = yield* described(yield* square(yield* bytes(() => halves(3, 2).png().toBuffer())))
      expect([grown.width, grown.height]).toEqual([avatarSide, avatarSide])
    })
  )

  it.effect("draw the same PNG for the same text, and different ones for different texts", () =>
    Effect.gen(function* () {
      const { identicon } = yield* AvatarImages
      const [bob, again, eve] = [yield* identicon("bob"), yield* identicon("bob"), yield* identicon("eve")]
      expect(again).toEqual(bob)
      expect(eve).not.toEqual(bob)
      const { format, height, width } = yield* described(bob)
      expect([format, width, height]).toEqual(["png", 128, 128])
    }).pipe(Effect.provide(layerAvatarImages))
  )

  it.effect("read only PNG, JPEG, GIF and WebP", () =>
    Effect.gen(function* () {
      for (const format of ["png", "jpeg", "gif", "webp"] as const) {
        const made = yield* square(yield* bytes(() => halves(40, 40).toFormat(format).toBuffer()))
        expect((yield* described(made)).format, format).toBe("png")
      }
      const svg = new TextEncoder().encode(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>`)
      const tiff = yield* bytes(() => halves(40, 40).tiff().toBuffer())
      const avif = yield* bytes(() => halves(40, 40).avif().toBuffer())
      for (const other of [svg, tiff, avif]) {
        expect((yield* Effect.flip(square(other))).problem).toBe("must be a PNG, JPEG, GIF or WebP image")
      }
    })
  )

  it.effect("reject an invalid, truncated or too large image before decoding it", () =>
    Effect.gen(function* () {
      const png = yield* bytes(() => halves(80, 80).png().toBuffer())
      const jpeg = yield* bytes(() => halves(80, 80).jpeg().toBuffer())
      const wrong = [
        new Uint8Array(),
        new TextEncoder().encode("no picture"),
        png.subarray(0, 60),
        jpeg.subarray(0, jpeg.length / 2),
        new Uint8Array([...png.subarray(0, 8), ...new TextEncoder().encode("<svg></svg>")])
      ]
      for (const each of wrong) expect((yield* Effect.flip(square(each)))._tag).toBe("AvatarInvalid")
      // A few kilobytes that would be a thousand million pixels.
      const wide = yield* bytes(() =>
        sharp({ create: { width: longestSide + 1, height: 2, channels: 3, background: red } })
          .png()
          .toBuffer()
      )
      expect((yield* Effect.flip(square(wide))).problem).toBe(`must be at most ${longestSide} pixels wide and high`)
      const bomb = Uint8Array.from(wide)
      new DataView(bomb.buffer).setUint32(16, 40_000)
      new DataView(bomb.buffer).setUint32(20, 40_000)
      expect((yield* Effect.flip(square(bomb)))._tag).toBe("AvatarInvalid")
    })
  )

  it.effect("keep only the pixels of an image, with its orientation applied", () =>
    Effect.gen(function* () {
      const sent = yield* bytes(() =>
        halves(300, 300)
          .withExif({ IFD0: { Copyright: "somebody", ImageDescription: "at home, 52.5 N 13.4 E" } })
          .withMetadata({ orientation: 6 })
          .withXmp("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>")
          .jpeg()
          .toBuffer()
      )
      expect((yield* described(sent)).exif).toBeDefined()
      const made = yield* square(sent)
      const { exif, icc, iptc, orientation, xmp } = yield* described(made)
      expect([exif, icc, iptc, orientation, xmp]).toEqual([undefined, undefined, undefined, undefined, undefined])
      // Turned by a quarter, what was at the left is at the top.
      expect(yield* pixel(made, 145, 20)).toEqual([255, 0, 0])
      expect(yield* pixel(made, 145, 270)).toEqual([0, 0, 255])
    })
  )
})
