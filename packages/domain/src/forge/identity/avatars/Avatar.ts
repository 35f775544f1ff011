import { Context, type Effect, Schema } from "effect"
import { longestName } from "../../base/names/names.ts"

/** The schema of the name of a stored avatar: 32 random hexadecimal digits. */
export const AvatarName = Schema.String.check(Schema.isPattern(/^[0-9a-f]{32}$/)).pipe(Schema.brand("AvatarName"))
export type AvatarName = typeof AvatarName.Type

/** The maximum size of an uploaded image, in bytes. */
export const largestAvatarUpload = 1_048_576

/** The maximum width and height of an uploaded image, in pixels. */
export const longestSide = 4_096

/** The width and height of a stored avatar, in pixels. */
export const avatarSide = 290

const identiconPrefix = "identicon-"

/**
 * Returns the avatar name of a user or organization that uploaded no image; it selects a generated image.
 *
 * @example
 * identiconName("Bob") // => "identicon-bob"
 */
export const identiconName = (name: string): string => `${identiconPrefix}${name.toLowerCase()}`

/** Returns the text from which a generated avatar is drawn; undefined if the name belongs to a stored image. */
export const identiconText = (name: string): string | undefined =>
  name.startsWith(identiconPrefix) && name.length <= identiconPrefix.length + longestName
    ? name.slice(identiconPrefix.length)
    : undefined

/** Reports that an uploaded file is not a valid image, with the reason. */
export class AvatarInvalid extends Schema.TaggedError<AvatarInvalid>()("AvatarInvalid", {
  problem: Schema.String
}) {}

/**
 * Makes avatars from uploaded images.
 *
 * Must:
 * - make a square PNG of the centre of an image, in the stored size
 * - read only PNG, JPEG, GIF and WebP
 * - reject an invalid, truncated or too large image before decoding it
 * - keep only the pixels of an image, with its orientation applied
 * - draw the same PNG for the same text, and different ones for different texts
 */
export class AvatarImages extends Context.Service<
  AvatarImages,
  {
    readonly square: (sent: Uint8Array) => Effect.Effect<Uint8Array, AvatarInvalid>
    /**
     * Draws the avatar of a user or organization that has no image, as a PNG; the same text always gives the same
     * avatar.
     */
    readonly identicon: (text: string) => Effect.Effect<Uint8Array>
  }
>()("@slipway/domain/forge/AvatarImages") {}

/**
 * Stores avatars by name.
 *
 * Must:
 * - return an avatar as stored, only by its name
 * - remove an avatar once, and report when it is missing
 * - remove many avatars in one call
 * - return nothing for a missing avatar
 */
export class AvatarStore extends Context.Service<
  AvatarStore,
  {
    readonly put: (name: AvatarName, picture: Uint8Array) => Effect.Effect<void>
    readonly find: (name: string) => Effect.Effect<Uint8Array | undefined>
    readonly remove: (name: AvatarName) => Effect.Effect<boolean>
    readonly removeMany: (names: ReadonlyArray<AvatarName>) => Effect.Effect<void>
  }
>()("@slipway/domain/forge/AvatarStore") {}

/** Deprecated name of {@link AvatarImages}. @deprecated */
export const Pictures = AvatarImages
export type Pictures = AvatarImages
