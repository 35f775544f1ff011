import type { RepositoryId } from "@slipway/domain/forge/base"
import { RepositoryStore } from "@slipway/domain/forge/code"
import { UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { missing } from "./builders.ts"

/** The names of the users in random commands about repositories. */
export const people = ["ann", "bob", "cy"] as const

/** The names of the repositories in random commands. At the start, they belong to ann. */
export const places = ["site", "vault"] as const

/** Finds a user by name. */
export const userOf = (name: string) =>
  Effect.flatMap(UserStore, (store) => Effect.map(store.named(name), (found) => found?.user))

/** Finds the id of a user by name. Returns an id that does not exist if there is no such user. */
export const userId = (name: string) => Effect.map(userOf(name), (user) => user?.id ?? missing)

/**
 * Finds the id of a repository by name, under any current owner. Returns an id that does not exist if there is no such
 * repository.
 */
export const placeId = (name: string) =>
  Effect.flatMap(RepositoryStore, (store) =>
    Effect.map(store.named("ann", name), (found) => found?.repository.id ?? (missing as number as RepositoryId))
  )

/** Returns the row at a position, modulo the number of rows; undefined if there are no rows. */
export const firstOf = <Row>(rows: ReadonlyArray<Row>, at: number): Row | undefined =>
  rows[at % Math.max(rows.length, 1)]
