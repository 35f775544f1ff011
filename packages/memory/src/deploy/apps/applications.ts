import { ApplicationStore } from "@slipway/domain/deploy/apps"
import { Effect, Layer } from "effect"
import { collection } from "../../collection.ts"
import { nameKeyInParent, placed, Tables } from "../base/tables.ts"

/** Applications in memory. */
export const applicationStore = Layer.effect(
  ApplicationStore,
  Effect.map(Tables, (tables) => {
    const { application, database, tag, taggingsOfTag } = tables
    const present = placed(tables)
    return {
      ...collection(database, application, present),
      placed: (where, { after = 0, limit, skip = 0 }) =>
        database.read((snapshot) =>
          application
            .list(snapshot, { limit: Number.POSITIVE_INFINITY })
            .filter(
              ({ id, placement }) =>
                id > after &&
                (where._tag === "Server" ? placement.serverUuid : placement.environmentUuid) === where.uuid
            )
            .slice(skip, skip + limit)
            .map((row) => present(snapshot, row))
        ),
      tagged: (name, window) =>
        database.read((snapshot) => {
          const found = tag.find(snapshot, nameKeyInParent(name), 1)
          if (found === undefined) return []
          return taggingsOfTag.list(snapshot, found.uuid, window).flatMap((tagging) => {
            const row = application.find(snapshot, tagging.application)
            return row === undefined ? [] : [present(snapshot, row)]
          })
        }),
      named: (uuids, tags, limit) =>
        database.read((snapshot) => {
          const tagged = tags.flatMap((name) => {
            const found = tag.find(snapshot, nameKeyInParent(name), 1)
            return found === undefined ? [] : taggingsOfTag.list(snapshot, found.uuid).map((each) => each.application)
          })
          return [...new Set([...uuids, ...tagged])]
            .flatMap((uuid) => application.find(snapshot, uuid) ?? [])
            .toSorted((one, other) => one.id - other.id)
            .slice(0, limit)
            .map((row) => present(snapshot, row))
        }),
      countTagged: (name) =>
        database.read((snapshot) => {
          const found = tag.find(snapshot, nameKeyInParent(name), 1)
          return found === undefined ? 0 : taggingsOfTag.count(snapshot, found.uuid)
        })
    }
  })
)
