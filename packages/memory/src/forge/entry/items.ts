import type { StoredValues } from "@slipway/domain"
import type { ItemKind } from "@slipway/domain/forge/access"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { type ItemKeys, type ItemMatch, type Items, items } from "@slipway/domain/forge/entry"
import type { Snapshot } from "../../Database.ts"
import { ownedRowBy } from "../../ownedStore.ts"
import type { Tables } from "../base/tables.ts"

/** Finds a resource within a repository, such as an issue or a label, as the declaration of its type says. */
export const findItem = <K extends ItemKind>(
  { owned }: Tables["Service"],
  snapshot: Snapshot,
  kind: K,
  repository: RepositoryId,
  keys: ItemKeys[K]
): Items[K] | undefined => {
  const found: Record<string, StoredValues> = {}
  const valueOf = (match: ItemMatch<K>): unknown =>
    match === "repository" ? repository : "key" in match ? keys[match.key] : found[match.of]?.[match.field]
  for (const { as, by, kind: of } of items[kind].rows) {
    const table = owned.get(of.name)
    const values = Object.fromEntries(Object.entries(by).map(([field, match]) => [field, valueOf(match)]))
    const row = table && ownedRowBy(snapshot, table, values)
    if (row === undefined) return undefined
    found[as] = row
  }
  // BOUNDARY: the declaration of a kind names all of its rows.
  return found as unknown as Items[K]
}
