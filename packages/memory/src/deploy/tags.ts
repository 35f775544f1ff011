import { type Tag, TagStore } from "@slipway/domain/deploy"
import { Effect, Layer, Result } from "effect"
import { byCodePoints } from "../codePoints.ts"
import { collection } from "../collection.ts"
import { siblingKey, Tables, taggingKey } from "./tables.ts"

const byNumber = (one: Tag, other: Tag): number => one.id - other.id

export const tagStore = Layer.effect(
  TagStore,
  Effect.map(Tables, ({ application, database, tag, tagging, taggingsOfApplication }) => ({
    ...collection(database, tag),
    named: (names) =>
      database.read((snapshot) => {
        const found = names.flatMap((name) => tag.find(snapshot, siblingKey(name), 1) ?? [])
        return [...new Set(found)].sort(byNumber)
      }),
    ofApplication: (uuid) =>
      database.read((snapshot) =>
        taggingsOfApplication
          .list(snapshot, uuid)
          .flatMap((row) => tag.find(snapshot, row.tag) ?? [])
          .sort((one, other) => byCodePoints(one.name, other.name))
      ),
    attach: (uuid, tags) =>
      database.write((snapshot) => {
        const place = application.find(snapshot, uuid)?.id ?? 0
        for (const each of tags) {
          if (tagging.find(snapshot, taggingKey(uuid, each)) !== undefined) continue
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
