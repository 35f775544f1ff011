import { Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"

const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"
const uuidPattern = /^[a-z0-9]{24}$/

/**
 * The schema of a uuid of any resource type: 24 lower-case letters and digits (decision "Uuid"). Each resource type
 * adds its own brand to the type.
 */
export const Uuid = Schema.String.check(
  Schema.isPattern(uuidPattern, { message: "Must be a uuid of 24 lower-case letters and digits." })
)

/** Generates `length` unpredictable characters; each character of `characters` has the same probability. */
const randomText = Effect.fnUntraced(function* (length: number, characters: string) {
  const random = yield* SecureRandom.SecureRandom
  // Bytes above the largest multiple of the alphabet's size would favour its first characters.
  const limit = 256 - (256 % characters.length)
  let text = ""
  while (text.length < length) {
    for (const byte of yield* random.randomBytes(length)) {
      if (byte < limit && text.length < length) text += characters.charAt(byte % characters.length)
    }
  }
  return text
})

/** Generates a new, unpredictable uuid. `schema` is the uuid schema of the resource type. */
export const makeUuid = <Uuid extends string>(schema: { readonly make: (input: string) => Uuid }) =>
  Effect.map(randomText(24, alphabet), (text) => schema.make(text))

/** Generates `length` unpredictable letters and digits. */
export const makeAlphanumericText = (length: number) => randomText(length, `${alphabet}ABCDEFGHIJKLMNOPQRSTUVWXYZ`)

/** Generates `bytes` unpredictable bytes, and returns them as hexadecimal digits. */
export const makeHex = (bytes: number) => randomText(bytes * 2, "0123456789abcdef")

/** Generates the secret part of a token: 40 letters and digits, with about 238 bits of entropy. */
export const makeSecret = makeAlphanumericText(40)
