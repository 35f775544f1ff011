import { AvatarImages, AvatarInvalid, avatarSide, longestSide } from "@slipway/domain/forge/identity"
import { Effect, Layer, Semaphore } from "effect"
import type { SharpOptions } from "sharp"

const identiconSide = 128

const formats: ReadonlyArray<string> = ["png", "jpeg", "gif", "webp"]

const invalidImage = () => new AvatarInvalid({ problem: "must be a PNG, JPEG, GIF or WebP image" })

// The first bytes of each format: other input never reaches a decoder.
const isFormat = (sent: Uint8Array): boolean => {
  const begins = (...bytes: ReadonlyArray<number>) => bytes.every((byte, at) => sent[at] === byte)
  const says = (at: number, word: string) => [...word].every((character, n) => sent[at + n] === character.charCodeAt(0))
  return (
    begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) ||
    begins(0xff, 0xd8, 0xff) ||
    says(0, "GIF8") ||
    (says(0, "RIFF") && says(8, "WEBP"))
  )
}

const options: SharpOptions = {
  failOn: "warning",
  limitInputPixels: longestSide * longestSide,
  // Only the first frame of an animation is read.
  pages: 1
}

/**
 * Creates avatar images with the sharp library.
 *
 * The response time is bounded: images have few pixels, are created one at a time, and time out after ten seconds.
 */
export const layerAvatarImages: Layer.Layer<AvatarImages> = Layer.effect(
  AvatarImages,
  Effect.gen(function* () {
    const turns = Semaphore.makeUnsafe(1)
    // Most processes never make an image: the library, 20 MB of it, is loaded for the first one.
    const library = yield* Effect.cached(
      Effect.promise(async () => {
        const { default: sharp } = await import("sharp")
        sharp.concurrency(1)
        sharp.cache(false)
        return sharp
      })
    )
    // Loaded for the first generated image.
    const drawing = yield* Effect.cached(Effect.promise(() => import("jdenticon")))
    return {
      identicon: (text) =>
        Effect.map(drawing, ({ toPng }) => new Uint8Array(toPng(text, identiconSide, { backColor: "#ffffff" }))),
      square: (sent) =>
        turns.withPermit(
          Effect.gen(function* () {
            if (!isFormat(sent)) return yield* invalidImage()
            const sharp = yield* library
            const { format, height, width } = yield* Effect.tryPromise({
              try: () => sharp(sent, options).metadata(),
              catch: invalidImage
            })
            if (!formats.includes(format)) return yield* invalidImage()
            if (width > longestSide || height > longestSide) {
              return yield* new AvatarInvalid({
                problem: `must be at most ${longestSide} pixels wide and high`
              })
            }
            return yield* Effect.tryPromise({
              try: async () =>
                new Uint8Array(
                  await sharp(sent, options)
                    .autoOrient()
                    .resize(avatarSide, avatarSide, { fit: "cover" })
                    .timeout({ seconds: 10 })
                    .png({ compressionLevel: 9 })
                    .toBuffer()
                ),
              catch: invalidImage
            })
          })
        )
    }
  })
)

/** Deprecated name of {@link layerAvatarImages}. @deprecated */
export const layerPictures = layerAvatarImages
