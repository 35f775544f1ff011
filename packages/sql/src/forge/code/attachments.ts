import { Missing } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import {
  type AttachedKind,
  type AttachedTo,
  type Attachment,
  type AttachmentId,
  AttachmentStore
} from "@slipway/domain/forge/code"
import type { UserId } from "@slipway/domain/forge/identity"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import { lookup } from "../../collection/collection.ts"
import { integer, nullable, text, time } from "../../collection/columns.ts"
import { timeText } from "../../collection/timeText.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { idArray } from "../base/parameters.ts"
import { readAll, reader } from "../base/rows.ts"
import { idParameter } from "../identity/units.ts"

type Row = Omit<Attachment, "to"> & {
  readonly repositoryId: RepositoryId
  readonly kind: AttachedKind
  readonly thingId: number
}

const rows = reader<Row>({
  id: integer<AttachmentId>("id"),
  uuid: text("uuid"),
  repositoryId: integer<RepositoryId>("repository_id"),
  kind: text<AttachedKind>("kind"),
  thingId: integer("thing_id"),
  uploaderId: nullable(integer<UserId>("uploader_id")),
  name: text("name"),
  size: integer("size"),
  type: text("type"),
  link: nullable(text("link")),
  downloadCount: integer("download_count"),
  createdAt: time("created_at")
})

const attachmentOf = ({ kind, repositoryId, thingId, ...others }: Row): Attachment => ({
  ...others,
  to: { repositoryId, kind, id: thingId }
})

/** The SQL expression for the row of a joined attachment as a JSON document, which `attachmentsIn` reads. */
export const attachmentDocument = `jsonb_build_object(
  'id', attachment.id, 'uuid', attachment.uuid, 'repositoryId', attachment.repository_id, 'kind', attachment.kind,
  'thingId', attachment.thing_id, 'uploaderId', attachment.uploader_id, 'name', attachment.name, 'size', attachment.size,
  'type', attachment.type, 'link', attachment.link, 'downloadCount', attachment.download_count,
  'createdAt', attachment.created_at
)`

/** Reads attachments from an array of their JSON documents; null counts as an empty array. */
export const attachmentsIn = (documents: unknown): ReadonlyArray<Attachment> =>
  // BOUNDARY: the documents have the fields of a row.
  ((documents ?? []) as ReadonlyArray<Row>).map((row) =>
    attachmentOf({ ...row, createdAt: timeText(new Date(row.createdAt)) })
  )

/** The column that references the resource of an attachment, for each type of resource. */
const columns: Readonly<Record<AttachedKind, string>> = {
  issue: "issue_id",
  comment: "comment_id",
  release: "release_id"
}

// PostgreSQL's code of a reference to a missing row.
const isReference = (error: unknown): boolean =>
  isSqlError(error) && (error.reason.cause as { readonly code?: string } | undefined)?.code === "23503"

/** Stores the names, sizes and owners of attachments in PostgreSQL; blobs hold their content. */
export const layerAttachments = Layer.effect(
  AttachmentStore,
  Effect.map(SqlClient, (sql) => {
    const all = sql.literal(rows.of("attachment"))
    const of = ({ id, kind, repositoryId }: AttachedTo) =>
      sql`${sql.literal(columns[kind])} = ${idParameter(id)} AND repository_id = ${idParameter(repositoryId)}`
    const first = (values: ReadonlyArray<ReadonlyArray<unknown>>) => {
      const row = values[0] === undefined ? undefined : rows.read(values[0])
      return row === undefined ? undefined : attachmentOf(row)
    }
    return {
      insert: ({ createdAt, link, name, size, to, type, uploaderId, uuid }) =>
        orDieSql(
          Effect.flatMap(
            sql`
              INSERT INTO attachment (uuid, repository_id, kind, thing_id, uploader_id, name, size, type, link, created_at)
              VALUES (
                ${uuid}, ${idParameter(to.repositoryId)}, ${to.kind}, ${idParameter(to.id)},
                ${uploaderId === null ? null : idParameter(uploaderId)}, ${name}, ${idParameter(size)}, ${type}, ${link},
                ${time("").write?.(createdAt)}
              ) RETURNING ${all}`.values.pipe(
              Effect.mapError((error) => (isReference(error) ? new Missing({ of: "attachment.to" }) : error))
            ),
            (values) => {
              const inserted = first(values)
              return inserted === undefined
                ? Effect.die(new Error("an inserted attachment is missing"))
                : Effect.succeed(inserted)
            }
          )
        ),
      find: (to, id) =>
        orDieSql(
          Effect.map(sql`SELECT ${all} FROM attachment WHERE ${of(to)} AND id = ${idParameter(id)}`.values, first)
        ),
      findByUuid: (uuid) =>
        orDieSql(Effect.map(sql`SELECT ${all} FROM attachment WHERE uuid = ${lookup(uuid)}`.values, first)),
      list: (to) =>
        orDieSql(
          Effect.map(sql`SELECT ${all} FROM attachment WHERE ${of(to)} ORDER BY id`.values, (values) =>
            readAll(rows)(values).map(attachmentOf)
          )
        ),
      listFor: (kind, ids) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT ${all} FROM attachment
              WHERE ${sql.literal(columns[kind])} = ANY(${idArray(sql, ids)}) ORDER BY id`.values,
            (values) => Map.groupBy(readAll(rows)(values).map(attachmentOf), ({ to }) => to.id)
          )
        ),
      change: (to, id, { link = null, name = null }) =>
        orDieSql(
          Effect.map(
            sql`
              UPDATE attachment SET name = COALESCE(${name}, name), link = COALESCE(${link}, link)
              WHERE ${of(to)} AND id = ${idParameter(id)} RETURNING id`.values,
            (values) => values.length > 0
          )
        ),
      remove: (to, id) =>
        orDieSql(
          Effect.map(
            sql`DELETE FROM attachment WHERE ${of(to)} AND id = ${idParameter(id)} RETURNING id`.values,
            (values) => values.length > 0
          )
        ),
      countDownload: (uuid) =>
        Effect.asVoid(
          orDieSql(sql`UPDATE attachment SET download_count = download_count + 1 WHERE uuid = ${lookup(uuid)}`)
        ),
      known: (uuids) =>
        orDieSql(
          Effect.map(
            sql<{ readonly uuid: string }>`SELECT uuid FROM attachment WHERE uuid = ANY(${uuids.map(lookup)}::text[])`,
            (found) => found.map(({ uuid }) => uuid)
          )
        )
    }
  })
)
