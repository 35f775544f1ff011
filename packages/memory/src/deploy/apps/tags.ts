import { nameKey } from "@slipway/domain"
import { type Tag, TagStore } from "@slipway/domain/deploy/apps"
import { Effect, Layer, Result } from "effect"
import { byCodePoints } from "../../codePoints.ts"
import { collection } from "../../collection.ts"
import { nameKeyInParent, taggingKey } from "../base/keys.ts"
import { Tables } from "../base/tables.ts"
import { visibleCollection } from "../base/visible.ts"

const keyOf = ({ name, teamId }: Pick<Tag, "name" | "teamId">) => nameKeyInParent(name, String(teamId))

const byNumber = (one: Tag, other: Tag): number => one.id - other.id

/** Stores tags in memory. */
export const tagStore = Layer.effect(
  TagStore,
  Effect.map(Tables, ({ application, database, databases, tag, tagging, taggingsOfApplication }) => ({
    ...visibleCollection(database, tag, collection(database, tag), (_, { teamId }) => ({ teamId })),
    ensure: (wanted) =>
      database
        .write((snapshot) => {
          // In the order of their names, as stores do that have to lock them one by one.
          for (const each of wanted.toSorted((one, other) => byCodePoints(nameKey(one.name), nameKey(other.name)))) {
            if (tag.find(snapshot, keyOf(each), 1) !== undefined) continue
            const inserted = tag.insert(snapshot, each)
            if (Result.isFailure(inserted)) return Result.fail(inserted.failure)
          }
          const found = wanted.flatMap((each) => tag.find(snapshot, keyOf(each), 1) ?? [])
          return Result.succeed([...new Set(found)].sort(byNumber))
        })
        .pipe(Effect.orDie),
    ofApplication: (uuid) =>
      database.read((snapshot) =>
        taggingsOfApplication
          .list(snapshot, uuid)
          .flatMap((row) => tag.find(snapshot, row.tag) ?? [])
          .sort((one, other) => byCodePoints(nameKey(one.name), nameKey(other.name)))
      ),
    attach: (uuid, tags) =>
      database.write((snapshot) => {
        const place = application.find(snapshot, uuid)?.id ?? null
        if (place === null && !databases.has(snapshot, uuid)) return Result.void
        for (const each of tags) {
          const attached = tagging.find(snapshot, taggingKey(uuid, each)) !== undefined
          if (attached || !tag.has(snapshot, each)) continue
          tagging.insert(snapshot, { application: uuid, place, tag: each })
        }
        return Result.void
      }),
    detach: (uuid, tagUuid) =>
      database
        .write((snapshot) => {
          const present = tagging.find(snapshot, taggingKey(uuid, tagUuid))
          return present === undefined ? Result.succeed(false) : tagging.remove(snapshot, present.id)
        })
        .pipe(Effect.orDie)
  }))
)
