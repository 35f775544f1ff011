import { assert } from "@effect/vitest"
import { type Duplicate, Transaction } from "@slipway/domain"
import {
  type NewOrganization,
  type NewRepository,
  type NewTeam,
  type NewUser,
  type Organization,
  OrganizationStore,
  type OwnerKey,
  RepositoryStore,
  TeamStore,
  type UserId,
  UserStore
} from "@slipway/domain/forge"
import { Effect } from "effect"
import { newOrganization, newRepository, newTeam, newUser } from "../builders.ts"

/** Asserts that two values are equal through and through. */
export const equal = (actual: unknown, expected: unknown): void => assert.deepStrictEqual(actual, expected)

/** Runs an effect in a transaction. */
export const run = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Transaction, (transaction) => transaction.run(effect))

/** Stores a user. */
export const user = (n: number, facts?: Partial<NewUser>) =>
  Effect.flatMap(UserStore, (store) => store.insert(newUser(n, facts)))

/** Stores an organization. */
export const organization = (n: number, facts?: Partial<NewOrganization>) =>
  Effect.flatMap(OrganizationStore, (store) => store.insert(newOrganization(n, facts)))

/** Stores a team with members. */
export const team = (
  n: number,
  of: Pick<Organization, "id">,
  facts: Partial<NewTeam> = {},
  members: ReadonlyArray<{ readonly id: UserId }> = []
) =>
  Effect.gen(function* () {
    const store = yield* TeamStore
    const inserted = yield* store.insert(newTeam(n, of, facts))
    for (const { id } of members) assert.isTrue(yield* store.addMember(inserted.id, id))
    return inserted
  })

/** Stores a repository. */
export const repository = (n: number, owner: OwnerKey, facts?: Partial<NewRepository>) =>
  Effect.flatMap(RepositoryStore, (store) => store.insert(newRepository(n, owner, facts)))

/** Answers what of a refused name. */
export const refused = <A, R>(effect: Effect.Effect<A, Duplicate, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag, of }) => `${_tag} ${of}`)

/** Texts that no name has, some of which no database can hold. */
export const oddTexts: ReadonlyArray<string> = ["", "nobody", "\0", "\ud800", "%", "a'b"]
