import type { RepositoryId } from "@slipway/domain/forge/base"
import { RepositoryStore } from "@slipway/domain/forge/code"
import { UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { missing } from "./builders.ts"

/** The users of command sequences about repositories. */
export const people = ["ann", "bob", "cy"] as const

/** The repositories of command sequences; ann owns them at the start. */
export const places = ["site", "vault"] as const

/** Finds a user by name. */
export const userOf = (name: string) =>
  Effect.flatMap(UserStore, (store) => Effect.map(store.named(name), (found) => found?.user))

/** Finds the id of a user; a missing id if there is none. */
export const userId = (name: string) => Effect.map(userOf(name), (user) => user?.id ?? missing)

/** Finds the id of a repository under any current owner; a missing id if it does not exist. */
export const placeId = (name: string) =>
  Effect.flatMap(RepositoryStore, (store) =>
    Effect.map(store.named("ann", name), (found) => found?.repository.id ?? (missing as number as RepositoryId))
  )

/** Returns the row at a position, modulo the number of rows. */
export const firstOf = <Row>(rows: ReadonlyArray<Row>, at: number): Row | undefined =>
  rows[at % Math.max(rows.length, 1)]
