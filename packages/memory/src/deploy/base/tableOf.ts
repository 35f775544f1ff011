import type { Entity } from "@slipway/domain"
import { type Kind, uniqueNames } from "@slipway/domain/deploy"
import { Table } from "../../Table.ts"
import { factOf, nameKeyInParent } from "./keys.ts"

/** Makes a table of a type of resources, with rows that are found by uuid and by their unique names. */
export const tableOf = <R extends Entity>(kind: Kind) =>
  new Table<R>(kind, [
    { of: `${kind}.uuid`, key: (row) => row.uuid },
    ...uniqueNames
      .filter((unique) => unique.kind === kind)
      .map(({ fact, within }) => ({
        of: `${kind}.${fact}`,
        key: (row: R) => nameKeyInParent(factOf(row, fact) ?? "", within === null ? null : factOf(row, within))
      }))
  ])

/** Makes a table with rows that are found by uuid. */
export const byUuid = <R extends { readonly id: number; readonly uuid: string }>(name: string) =>
  new Table<R>(name, [{ of: `${name}.uuid`, key: (row) => row.uuid }])
