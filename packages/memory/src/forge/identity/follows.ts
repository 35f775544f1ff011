import { BlockStore, FollowStore } from "@slipway/domain/forge/identity"
import { Effect, Layer, Result } from "effect"
import { pairKey, Tables } from "../base/tables.ts"
import { peopleIn } from "./people.ts"

/** Stores follows in memory. */
export const followStore = Layer.effect(
  FollowStore,
  Effect.map(Tables, (tables) => {
    const { database, follow, followers, following } = tables
    return {
      add: (follower, followed) =>
        database
          .write((snapshot) =>
            follow.has(snapshot, pairKey(follower, followed))
              ? Result.void
              : Result.map(follow.insert(snapshot, { follower, followed }), () => undefined)
          )
          .pipe(Effect.orDie),
      remove: (follower, followed) =>
        database
          .write((snapshot) => {
            const row = follow.find(snapshot, pairKey(follower, followed))
            return row === undefined ? Result.succeed(false) : follow.remove(snapshot, row.id)
          })
          .pipe(Effect.orDie),
      has: (follower, followed) => database.read((snapshot) => follow.has(snapshot, pairKey(follower, followed))),
      followers: (viewer, of, page) =>
        database.read((snapshot) => {
          const { rowsOf, seenBy } = peopleIn(tables, snapshot)
          const places = new Map(followers.list(snapshot, String(of)).map((row) => [row.follower, row.id]))
          return seenBy(viewer)(rowsOf([...places.keys()]), page, { placeOf: ({ id }) => [places.get(id) ?? 0] })
        }),
      following: (viewer, of, page) =>
        database.read((snapshot) => {
          const { rowsOf, seenBy } = peopleIn(tables, snapshot)
          const places = new Map(following.list(snapshot, String(of)).map((row) => [row.followed, row.id]))
          return seenBy(viewer)(rowsOf([...places.keys()]), page, { placeOf: ({ id }) => [places.get(id) ?? 0] })
        })
    }
  })
)

/** Stores blocks in memory. */
export const blockStore = Layer.effect(
  BlockStore,
  Effect.map(Tables, (tables) => {
    const { block, blocksOf, database } = tables
    return {
      add: (added) =>
        database
          .write((snapshot) => {
            const row = block.find(snapshot, pairKey(added.blocker, added.blocked))
            return row === undefined
              ? Result.map(block.insert(snapshot, added), () => undefined)
              : Result.map(block.replace(snapshot, { ...row, note: added.note }), () => undefined)
          })
          .pipe(Effect.orDie),
      remove: (blocker, blocked) =>
        database
          .write((snapshot) => {
            const row = block.find(snapshot, pairKey(blocker, blocked))
            return row === undefined ? Result.succeed(false) : block.remove(snapshot, row.id)
          })
          .pipe(Effect.orDie),
      find: (blocker, blocked) =>
        database.read((snapshot) => {
          const row = block.find(snapshot, pairKey(blocker, blocked))
          return row === undefined ? undefined : { blocker, blocked, note: row.note }
        }),
      blockersOf: (blocked, among) =>
        database.read((snapshot) => among.filter((id) => block.find(snapshot, pairKey(id, blocked)) !== undefined)),
      blockedBy: (blocker, among) =>
        database.read((snapshot) => among.filter((id) => block.find(snapshot, pairKey(blocker, id)) !== undefined)),
      list: (viewer, blocker, page) =>
        database.read((snapshot) => {
          const { rowsOf, seenBy } = peopleIn(tables, snapshot)
          const places = new Map(blocksOf.list(snapshot, String(blocker)).map((row) => [row.blocked, row.id]))
          return seenBy(viewer)(rowsOf([...places.keys()]), page, { placeOf: ({ id }) => [places.get(id) ?? 0] })
        })
    }
  })
)
