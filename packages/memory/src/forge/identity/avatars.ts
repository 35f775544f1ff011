import { AvatarStore } from "@slipway/domain/forge/identity"
import { Effect, Layer, Result } from "effect"
import { Base64 } from "effect/encoding"
import { Tables } from "../base/tables.ts"

/** Stores avatars in memory. */
export const avatarStore = Layer.effect(
  AvatarStore,
  Effect.map(Tables, ({ avatar, database }) => ({
    put: (name, picture) =>
      database
        .write((snapshot) =>
          Result.map(avatar.insert(snapshot, { name, picture: Base64.encode(picture) }), () => undefined)
        )
        .pipe(Effect.orDie),
    find: (name) =>
      database.read((snapshot) => {
        const row = avatar.find(snapshot, name)
        return row && Result.getOrThrow(Base64.decode(row.picture))
      }),
    removeMany: (names) =>
      database
        .write((snapshot) =>
          Result.gen(function* () {
            for (const name of names) {
              const row = avatar.find(snapshot, name)
              if (row !== undefined) yield* avatar.remove(snapshot, row.id)
            }
          })
        )
        .pipe(Effect.orDie),
    remove: (name) =>
      database
        .write((snapshot) => {
          const row = avatar.find(snapshot, name)
          return row === undefined ? Result.succeed(false) : avatar.remove(snapshot, row.id)
        })
        .pipe(Effect.orDie)
  }))
)
