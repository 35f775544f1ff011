import { type Application, ApplicationStore } from "@slipway/domain/deploy/apps"
import { Effect, Layer } from "effect"
import { collection } from "../../collection.ts"
import type { Snapshot } from "../../Database.ts"
import { listed, nameKeyInParent, placed, Tables } from "../base/tables.ts"

const filtered = { Server: "serverUuid", Project: "projectUuid", Environment: "environmentUuid" } as const

/** Applications in memory. */
export const applicationStore = Layer.effect(
  ApplicationStore,
  Effect.map(Tables, (tables) => {
    const { application, database, listedApplications, tag, taggingsOfTag } = tables
    const present = placed(tables)
    const isListed = ({ variant }: Application) => variant !== "service"
    /** Returns the applications that have a tag, without those of services. */
    const taggedWith = (snapshot: Snapshot, name: string) => {
      const found = tag.find(snapshot, nameKeyInParent(name), 1)
      if (found === undefined) return []
      return taggingsOfTag
        .list(snapshot, found.uuid)
        .flatMap((tagging) => application.find(snapshot, tagging.application) ?? [])
        .filter(isListed)
    }
    return {
      ...collection(database, application, present),
      list: (window) =>
        database.read((snapshot) =>
          listedApplications.list(snapshot, listed, window).map((row) => present(snapshot, row))
        ),
      count: database.read((snapshot) => listedApplications.count(snapshot, listed)),
      placed: (where, { after = 0, limit, skip = 0 }) =>
        database.read((snapshot) =>
          application
            .list(snapshot, { limit: Number.POSITIVE_INFINITY })
            .filter(
              ({ id, placement, variant }) =>
                variant !== "service" && id > after && placement[filtered[where._tag]] === where.uuid
            )
            .slice(skip, skip + limit)
            .map((row) => present(snapshot, row))
        ),
      tagged: (name, { after = 0, limit, skip = 0 }) =>
        database.read((snapshot) =>
          taggedWith(snapshot, name)
            .filter(({ id }) => id > after)
            .slice(skip, skip + limit)
            .map((row) => present(snapshot, row))
        ),
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
      countTagged: (name) => database.read((snapshot) => taggedWith(snapshot, name).length)
    }
  })
)
