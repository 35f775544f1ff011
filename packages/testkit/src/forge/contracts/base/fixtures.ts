import { assert } from "@effect/vitest"
import { type Duplicate, type Page, type PageRequest, Transaction } from "@slipway/domain"
import { type NewRepository, type OwnerKey, RepositoryStore } from "@slipway/domain/forge/code"
import {
  type NewOrganization,
  type NewTeam,
  type NewUser,
  type Organization,
  OrganizationStore,
  TeamStore,
  type UserId,
  UserStore
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { all, newOrganization, newRepository, newTeam, newUser } from "../../builders.ts"

/** Asserts that two values are deeply equal. */
export const equal = (actual: unknown, expected: unknown): void => assert.deepStrictEqual(actual, expected)

/** Runs an effect in a transaction. */
export const run = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Transaction, (transaction) => transaction.run(effect))

/** Stores test user number `n`. */
export const user = (n: number, facts?: Partial<NewUser>) =>
  Effect.flatMap(UserStore, (store) => store.insert(newUser(n, facts)))

/** Stores test organization number `n`. */
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

/** Stores test repository number `n` of an owner. */
export const repository = (n: number, owner: OwnerKey, facts?: Partial<NewRepository>) =>
  Effect.flatMap(RepositoryStore, (store) => store.insert(newRepository(n, owner, facts)))

/** Returns the error tag and the resource type of a rejected name. */
export const refusalOf = <A, R>(effect: Effect.Effect<A, Duplicate, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag, of }) => `${_tag} ${of}`)

/** Texts that are not the name of any test resource; some contain characters that PostgreSQL cannot store. */
export const oddTexts: ReadonlyArray<string> = ["", "nobody", "\0", "\ud800", "%", "a'b"]

/** Asserts that pagination by page numbers and pagination by cursors return the same list. */
export const samePaginated = Effect.fnUntraced(function* <Row, E, R>(
  list: (page: PageRequest) => Effect.Effect<Page<Row>, E, R>
) {
  const { next, rows, total } = yield* list(all)
  equal([total, next], [rows.length, undefined])
  assert.isAbove(rows.length, 1)
  const numbered: Array<Row> = []
  for (let page = 1; (page - 1) * 2 < rows.length; page++) numbered.push(...(yield* list({ page, perPage: 2 })).rows)
  equal(numbered, rows)
  const followed: Array<Row> = []
  let after: string | undefined
  do {
    const cut: Page<Row> = yield* list({ page: 1, perPage: 1, after })
    followed.push(...cut.rows)
    after = cut.next
  } while (after !== undefined)
  equal(followed, rows)
  for (const odd of ["", "[]", "x", "[null]", '["\\u0000"]', "[1,2,3,4]", '{"a":1}']) {
    equal((yield* list({ page: 1, perPage: 2, after: odd })).rows, [])
  }
  equal((yield* list({ page: 1_000_000, perPage: 2 })).rows, [])
})
