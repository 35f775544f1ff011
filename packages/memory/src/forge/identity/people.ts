import { nameKey, type Page, type PageRequest, type SortKey } from "@slipway/domain"
import type { Named, SeenUser, User, UserId, Viewer } from "@slipway/domain/forge/identity"
import { byCodePoints } from "../../codePoints.ts"
import type { Snapshot } from "../../Database.ts"
import { ownedRowBy } from "../../ownedStore.ts"
import { byNamePlace, cut, filterRows } from "../base/pages.ts"
import { asEmail, type Tables, type UserRow } from "../base/tables.ts"
import { listedTo } from "./relations.ts"

/** Returns queries on a snapshot for users. Each user has the primary email address and no password hash. */
export const peopleIn = (tables: Tables["Service"], snapshot: Snapshot) => {
  const present = ({ passwordHash: _, ...row }: UserRow): User => {
    const primary = ownedRowBy(snapshot, tables.email, { primaryOf: row.id })
    return {
      ...row,
      email: primary === undefined ? "" : asEmail(primary).address,
      secondFactor: tables.factor.find(snapshot, String(row.id))?.confirmed ?? false
    }
  }
  const find = (id: UserId): User | undefined => {
    const row = tables.user.get(snapshot, id)
    return row === undefined ? undefined : present(row)
  }
  const named = (name: string): Named | undefined => {
    const register = tables.name.find(snapshot, nameKey(name))
    const user = register === undefined ? undefined : find(register.ownerId as UserId)
    return register === undefined || user === undefined ? undefined : { user, renamed: !register.current }
  }
  const seenBy = (viewer: Viewer) => {
    const isSeen = listedTo(tables, snapshot, viewer)
    const counted = (ids: ReadonlyArray<UserId>) =>
      ids.filter((id) => {
        const row = tables.user.get(snapshot, id)
        return row !== undefined && isSeen(row)
      }).length
    const starredBy = (id: UserId): number =>
      [...(tables.owned.get("star")?.scopes.get("userId")?.list(snapshot, String(id)) ?? [])].filter((star) => {
        const row = tables.repository.get(snapshot, star["repositoryId"] as number)
        if (row === undefined || row.private) return false
        const { id: owner, kind } = row.owner
        return (tables[kind].get(snapshot, owner)?.visibility ?? "private") === "public"
      }).length
    const withCounts = (row: UserRow): SeenUser => ({
      ...present(row),
      followers: counted(tables.followers.list(snapshot, String(row.id)).map((each) => each.follower)),
      following: counted(tables.following.list(snapshot, String(row.id)).map((each) => each.followed)),
      starred: starredBy(row.id)
    })
    /** Returns one page of the users that the viewer sees, in the order given, by default by name. */
    return (
      rows: ReadonlyArray<UserRow>,
      page: PageRequest,
      { descending = false, hiddenToo = false, placeOf = byNamePlace as (row: UserRow) => SortKey } = {}
    ): Page<SeenUser> => {
      const { rows: shown, ...rest } = cut(hiddenToo ? rows : filterRows(rows, isSeen), page, placeOf, { descending })
      return { ...rest, rows: shown.map(withCounts) }
    }
  }
  const rowsOf = (ids: ReadonlyArray<UserId>): ReadonlyArray<UserRow> =>
    ids.flatMap((id) => tables.user.get(snapshot, id) ?? [])
  const byName = (rows: ReadonlyArray<UserRow>): ReadonlyArray<UserRow> =>
    rows
      .map((row) => ({ row, key: nameKey(row.name) }))
      .sort((one, other) => byCodePoints(one.key, other.key))
      .map(({ row }) => row)
  return { present, find, named, seenBy, rowsOf, byName }
}
