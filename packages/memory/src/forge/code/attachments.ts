import { type Duplicate, Missing } from "@slipway/domain"
import { type AttachedTo, type Attachment, AttachmentStore } from "@slipway/domain/forge/code"
import { Effect, Layer, Result } from "effect"
import type { Snapshot } from "../../Database.ts"
import { attachedKey, Tables } from "../base/tables.ts"

/** Stores the names, sizes and owners of attachments in memory; blobs hold their content. */
export const attachmentStore = Layer.effect(
  AttachmentStore,
  Effect.map(Tables, ({ attachedTables, attachment, attachmentsOf, database }) => {
    const find = (snapshot: Snapshot, to: AttachedTo, id: number) => {
      const row = attachment.get(snapshot, id)
      const isOf = row?.to.repositoryId === to.repositoryId && row.to.kind === to.kind && row.to.id === to.id
      return isOf ? row : undefined
    }
    const replace = (snapshot: Snapshot, row: Attachment | undefined) =>
      row === undefined ? Result.succeed(false) : attachment.replace(snapshot, row)
    return {
      insert: (row) =>
        database
          .write((snapshot): Result.Result<Attachment, Missing | Duplicate> => {
            const isThere = attachedTables[row.to.kind].has(snapshot, String(row.to.id))
            return isThere
              ? attachment.insert(snapshot, { ...row, downloadCount: 0 } as Omit<Attachment, "id">)
              : Result.fail(new Missing({ of: "attachment.to" }))
          })
          .pipe(Effect.catchTag("Duplicate", Effect.die)),
      find: (to, id) => database.read((snapshot) => find(snapshot, to, id)),
      findByUuid: (uuid) => database.read((snapshot) => attachment.find(snapshot, uuid)),
      list: (to) =>
        database.read((snapshot) =>
          attachmentsOf.list(snapshot, attachedKey(to)).filter((row) => row.to.repositoryId === to.repositoryId)
        ),
      listFor: (kind, ids) =>
        database.read((snapshot) => {
          const found = ids.map((id) => [id, attachmentsOf.list(snapshot, attachedKey({ kind, id }))] as const)
          return new Map(found.filter(([, rows]) => rows.length > 0))
        }),
      change: (to, id, change) =>
        database
          .write((snapshot) => {
            const row = find(snapshot, to, id)
            return replace(snapshot, row && { ...row, ...change })
          })
          .pipe(Effect.orDie),
      remove: (to, id) =>
        database
          .write((snapshot) =>
            find(snapshot, to, id) === undefined ? Result.succeed(false) : attachment.remove(snapshot, id)
          )
          .pipe(Effect.orDie),
      countDownload: (uuid) =>
        database
          .write((snapshot) => {
            const row = attachment.find(snapshot, uuid)
            return replace(snapshot, row && { ...row, downloadCount: row.downloadCount + 1 })
          })
          .pipe(Effect.orDie, Effect.asVoid),
      known: (uuids) => database.read((snapshot) => uuids.filter((uuid) => attachment.has(snapshot, uuid)))
    }
  })
)
