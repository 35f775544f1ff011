import { type Label, LabelStore, type OrganizationId } from "@slipway/domain/forge"
import { Effect, Layer, Result } from "effect"
import type { Snapshot } from "../Database.ts"
import { cut, inOrderOf } from "./queries.ts"
import { Tables } from "./tables.ts"

/** Keeps labels in memory. */
export const labelStore = Layer.effect(
  LabelStore,
  Effect.map(Tables, ({ database, label, labelsOf }) => {
    const find = (snapshot: Snapshot, organization: OrganizationId, id: number) => {
      const row = label.get(snapshot, id)
      return row?.organizationId === organization ? row : undefined
    }
    return {
      insert: (row) =>
        database.write((snapshot) => label.insert(snapshot, row as Omit<Label, "id">)).pipe(Effect.orDie),
      find: (organization, id) => database.read((snapshot) => find(snapshot, organization, id)),
      list: (organization, page) =>
        database.read((snapshot) =>
          cut(
            inOrderOf(labelsOf.list(snapshot, String(organization)), (row) => row.name),
            page
          )
        ),
      replace: (row) =>
        database
          .write((snapshot) =>
            find(snapshot, row.organizationId, row.id) === undefined
              ? Result.succeed(false)
              : label.replace(snapshot, row)
          )
          .pipe(Effect.orDie),
      remove: (organization, id) =>
        database
          .write((snapshot) =>
            find(snapshot, organization, id) === undefined ? Result.succeed(false) : label.remove(snapshot, id)
          )
          .pipe(Effect.orDie)
    }
  })
)
