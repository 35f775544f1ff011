import { nameKey, type Window } from "@slipway/domain"
import { type Application, ApplicationStore, type BuiltFrom, isOfRepository } from "@slipway/domain/deploy/apps"
import { everything, sees, type Visible } from "@slipway/domain/deploy/identity"
import { Effect, Layer } from "effect"
import { collection } from "../../collection.ts"
import type { Snapshot } from "../../Database.ts"
import { listedKey } from "../base/keys.ts"
import { Tables } from "../base/tables.ts"
import { placeOfApplication, visibleCollection } from "../base/visible.ts"
import { withPlacement } from "../base/withPlacement.ts"

const filtered = { Server: "serverUuid", Project: "projectUuid", Environment: "environmentUuid" } as const

/** Stores applications in memory. */
export const applicationStore = Layer.effect(
  ApplicationStore,
  Effect.map(Tables, (tables) => {
    const { application, database, listedApplications, tag, taggingsOfTag } = tables
    const present = withPlacement(tables)
    const isListed = ({ variant }: Application) => variant !== "service"
    const placeOf = placeOfApplication(tables)
    /** Returns the tags of all teams with a name. */
    const tagsNamed = (snapshot: Snapshot, name: string) =>
      tag.list(snapshot, { limit: Number.POSITIVE_INFINITY }).filter((each) => nameKey(each.name) === nameKey(name))
    /** Returns the applications that have a tag, without those of services. */
    const taggedWith = (snapshot: Snapshot, name: string, visible: Visible = everything) => {
      const isSeen = sees(visible)
      return tagsNamed(snapshot, name)
        .flatMap(({ uuid }) => taggingsOfTag.list(snapshot, uuid))
        .flatMap((tagging) => application.find(snapshot, tagging.application) ?? [])
        .filter((row) => isListed(row) && isSeen(placeOf(snapshot, row)))
        .toSorted((one, other) => one.id - other.id)
    }
    const listedWhere = (holds: (row: Application) => boolean, { after, limit, skip = 0 }: Window) =>
      database.read((snapshot) =>
        listedApplications
          .list(snapshot, listedKey, { after, limit: Number.POSITIVE_INFINITY })
          .filter(holds)
          .slice(skip, skip + limit)
          .map((row) => present(snapshot, row))
      )
    const fromRepository = (
      snapshot: Snapshot,
      { privateKeyUuid, repository, tag: name }: BuiltFrom,
      visible: Visible = everything
    ) => {
      const isSeen = sees(visible)
      const rows =
        name === undefined
          ? listedApplications.list(snapshot, listedKey).filter((row) => isSeen(placeOf(snapshot, row)))
          : taggedWith(snapshot, name, visible)
      return rows.filter(
        (row) =>
          (privateKeyUuid === undefined || row.privateKeyUuid === privateKeyUuid) &&
          (repository === undefined || isOfRepository(repository, row.configuration.git_repository ?? ""))
      )
    }
    return {
      ...visibleCollection(
        database,
        application,
        collection(database, application, present),
        placeOf,
        present,
        isListed
      ),
      list: (window) =>
        database.read((snapshot) =>
          listedApplications.list(snapshot, listedKey, window).map((row) => present(snapshot, row))
        ),
      count: database.read((snapshot) => listedApplications.count(snapshot, listedKey)),
      placed: (where, window) => listedWhere(({ placement }) => placement[filtered[where._tag]] === where.uuid, window),
      ofForgeApps: (forgeApps, window) =>
        listedWhere(({ forgeAppUuid }) => forgeAppUuid !== null && forgeApps.includes(forgeAppUuid), window),
      tagged: (name, { after = 0, limit, skip = 0 }, visible) =>
        database.read((snapshot) =>
          taggedWith(snapshot, name, visible)
            .filter(({ id }) => id > after)
            .slice(skip, skip + limit)
            .map((row) => present(snapshot, row))
        ),
      builtFrom: (filter, { after = 0, limit, skip = 0 }, visible) =>
        database.read((snapshot) =>
          fromRepository(snapshot, filter, visible)
            .filter(({ id }) => id > after)
            .slice(skip, skip + limit)
            .map((row) => present(snapshot, row))
        ),
      countBuiltFrom: (filter, visible) =>
        database.read((snapshot) => fromRepository(snapshot, filter, visible).length),
      named: (uuids, tags, limit) =>
        database.read((snapshot) => {
          const tagged = tags
            .flatMap((name) => tagsNamed(snapshot, name))
            .flatMap(({ uuid }) => taggingsOfTag.list(snapshot, uuid).map((each) => each.application))
          return [...new Set([...uuids, ...tagged])]
            .flatMap((uuid) => application.find(snapshot, uuid) ?? [])
            .toSorted((one, other) => one.id - other.id)
            .slice(0, limit)
            .map((row) => present(snapshot, row))
        }),
      countTagged: (name, visible) => database.read((snapshot) => taggedWith(snapshot, name, visible).length)
    }
  })
)
