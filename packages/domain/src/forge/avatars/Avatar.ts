import { Context, type Effect, Schema } from "effect"

/** The name of a picture, which nobody can guess. */
export const AvatarName = Schema.String.check(Schema.isPattern(/^[0-9a-f]{32}$/)).pipe(Schema.brand("AvatarName"))
export type AvatarName = typeof AvatarName.Type

/** How large a picture may be that somebody sends, in bytes. */
export const largestPicture = 1_048_576

/** How wide and high a picture may be that somebody sends, in pixels. */
export const longestSide = 4_096

/** How wide and high a picture is kept, in pixels. */
export const avatarSide = 290

/** Reports that what was sent is no picture that can be shown, and why. */
export class PictureInvalid extends Schema.TaggedError<PictureInvalid>()("PictureInvalid", {
  problem: Schema.String
}) {}

/**
 * Makes pictures of what somebody sends.
 *
 * Must:
 * - make a square PNG of the middle of a picture, of the size that is kept
 * - read PNG, JPEG, GIF and WebP, and nothing else
 * - refuse what is no picture, is cut off or has too many pixels, before it is unpacked
 * - keep nothing of a picture but its pixels, turned the right way up
 */
export class Pictures extends Context.Service<
  Pictures,
  { readonly square: (sent: Uint8Array) => Effect.Effect<Uint8Array, PictureInvalid> }
>()("@slipway/domain/forge/Pictures") {}

/**
 * Keeps pictures by name.
 *
 * Must:
 * - give back a picture as it was put, by its name alone
 * - remove a picture once, and tell when there was none
 * - answer nothing for a picture that is not there
 */
export class AvatarStore extends Context.Service<
  AvatarStore,
  {
    readonly put: (name: AvatarName, picture: Uint8Array) => Effect.Effect<void>
    readonly find: (name: string) => Effect.Effect<Uint8Array | undefined>
    readonly remove: (name: AvatarName) => Effect.Effect<boolean>
  }
>()("@slipway/domain/forge/AvatarStore") {}
