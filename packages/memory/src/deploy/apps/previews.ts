import { type Preview, PreviewStore } from "@slipway/domain/deploy/apps"
import { Effect, Layer, Result } from "effect"
import { previewKey } from "../base/keys.ts"
import { Tables } from "../base/tables.ts"

const shown = ({ id: _, ...row }: Preview & { readonly id: number }): Preview => row

/** Stores in memory which applications are previews, and of which pull requests. */
export const previewStore = Layer.effect(
  PreviewStore,
  Effect.map(Tables, ({ application, database, preview, previewsOfApplication }) => ({
    put: (row) =>
      database
        .write((snapshot) => {
          const isThere = [row.applicationUuid, row.previewUuid].every((uuid) => application.has(snapshot, uuid))
          if (!isThere) return Result.succeed(false)
          const present = preview.find(snapshot, previewKey(row.applicationUuid, row.pullRequestId), 1)
          return present === undefined
            ? Result.map(preview.insert(snapshot, row), () => true)
            : Result.map(preview.replace(snapshot, { ...present, branch: row.branch }), () => true)
        })
        .pipe(Effect.orDie),
    find: (uuid, pullRequestId) =>
      database.read((snapshot) => {
        const row = preview.find(snapshot, previewKey(uuid, pullRequestId), 1)
        return row && shown(row)
      }),
    among: (uuids) =>
      database.read((snapshot) =>
        [...new Set(uuids)].flatMap((uuid) => {
          const row = preview.find(snapshot, uuid)
          return row === undefined ? [] : [shown(row)]
        })
      ),
    ofApplication: (uuid) => database.read((snapshot) => previewsOfApplication.list(snapshot, uuid).map(shown))
  }))
)
