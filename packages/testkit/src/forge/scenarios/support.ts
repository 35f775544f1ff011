import { assert } from "@effect/vitest"
import type { KindOf, ScopeWord } from "@slipway/domain/forge/access"
import type { OwnerName } from "@slipway/domain/forge/base"
import type { LoadedAction, LoadedKind, Proof, Target } from "@slipway/domain/forge/entry"
import { EmailAddress, type NewAccessToken, type User, UserStore } from "@slipway/domain/forge/identity"
import { UserRemoval } from "@slipway/forge/administration"
import { layerSubscribers } from "@slipway/forge/background"
import { Entry } from "@slipway/forge/entry"
import { AccessTokens, AdminUsers, Users } from "@slipway/forge/identity"
import { Effect, Redacted } from "effect"
import { Base64 } from "effect/encoding"
import { NetAddress } from "effect/net"
import type { Contract } from "../../contract.ts"
import { all } from "../builders.ts"
import { at, type TestEnv } from "../testEnv.ts"

/** A group of tests of use cases, which run with every store. Each sentence has one test. */
export type Scenario = Contract<TestEnv>

/** Asserts that two values are deeply equal. */
export const equal = (actual: unknown, expected: unknown): void => assert.deepStrictEqual(actual, expected)

/** The password of every user that the tests create. */
export const password = "correct horse battery"

/** Creates a user with the password that all test users have. */
export const user = (name: string, facts: Omit<Partial<AdminUsers.NewAccount>, "name" | "email"> = {}) =>
  AdminUsers.create(Entry.system("admin.user.create"), {
    name: name as OwnerName,
    email: EmailAddress.make(`${name}@example.com`),
    password,
    mustChangePassword: false,
    ...facts
  })

/** Creates an access token for a user, and returns its secret text. */
export const tokenOf = (
  name: string,
  scopes: ReadonlyArray<ScopeWord> = ["all"],
  facts: Partial<Pick<NewAccessToken, "name" | "expiresAt">> = {}
) =>
  Effect.map(
    AccessTokens.createFor(Entry.system("admin.user.edit"), name, {
      name: `${scopes.join()} ${facts.expiresAt ?? ""}`,
      expiresAt: null,
      scopes,
      ...facts
    }),
    ({ plain }) => Redacted.value(plain)
  )

/** Parses an IP address. */
export const ip = (text: string): NetAddress.IpAddress => NetAddress.ipFromStringUnsafe(text)
/** The parts of a request in a test. The default IP address is one without a special role. */
export type Sent = Partial<Entry.EntryRequest>

/**
 * Returns the header for basic authentication with a name and a password. A token may replace the name or the password.
 */
export const basic = (name: string, secret = password, oneTimeCode?: string): Sent => ({
  authorization: `Basic ${Base64.encode(`${name}:${secret}`)}`,
  oneTimeCode
})

/** Returns the header for authentication with a token. */
export const bearer = (token: string): Sent => ({ authorization: `Bearer ${token}` })

/**
 * Authenticates a request, and reads the values that later authorize actions on a target. It does not authorize an
 * action itself.
 */
export const authorizeAbout = <K extends LoadedKind>(sent: Sent, about: Target<K>) =>
  Entry.enter({ address: ip("192.0.2.7"), ...sent }, about)

/** Authenticates a request about the site or about the caller. */
export const enter = (sent: Sent) => authorizeAbout(sent, { kind: "site" })

/** Returns the actor (the user and the credential) of an authenticated request. */
export const actor = (sent: Sent) => Effect.map(enter(sent), (entered) => entered.actor)

/** Returns the user name of an authenticated request; if authentication fails, the reason as text. */
export const whoAmI = (sent: Sent) => answer(Effect.map(actor(sent), (each) => each.user?.name ?? "anonymous"))

/**
 * Authorizes a request for an action on the site or on the caller. Returns the proof of authorization, which use cases
 * require.
 */
export const may = <A extends Entry.SiteAction>(action: A, sent: Sent): Effect.Effect<Proof<A>, unknown, TestEnv> =>
  Effect.flatMap(enter(sent), (each) => Entry.authorize<A>(action, each as never))

/** Authorizes a request for an action on a resource. Returns the proof of authorization, which use cases require. */
export const mayAbout = <A extends LoadedAction>(
  action: A,
  about: Target<KindOf<A> & LoadedKind>,
  sent: Sent
): Effect.Effect<Proof<A>, unknown, TestEnv> =>
  Effect.flatMap(authorizeAbout(sent, about), (each) => Entry.authorize<A>(action, each as never))

/** The actions on a user. */
type UserAction = { [A in LoadedAction]: KindOf<A> extends "user" ? A : never }[LoadedAction]

/** Authorizes a request for an action on a user. Returns the proof of authorization, which use cases require. */
export const mayOn = <A extends UserAction>(
  action: A,
  name: string,
  sent: Sent
): Effect.Effect<Proof<A>, unknown, TestEnv> =>
  Effect.flatMap(authorizeAbout(sent, { kind: "user", name }), (each) => Entry.authorize<A>(action, each as never))

const text = (error: unknown): unknown => {
  if (error instanceof Entry.AccessRefused) {
    const { message, status } = error.decision.answer
    return `${status} ${message}`
  }
  return typeof error === "object" && error !== null && "_tag" in error
    ? [
        error._tag,
        ...Object.entries(error).flatMap(([name, value]) =>
          name === "_tag" ? [] : [typeof value === "object" ? JSON.stringify(value) : value]
        )
      ].join(" ")
    : error
}

/** Returns the result of an effect; if it fails, the error as text. */
export const answer = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<unknown, never, R> =>
  Effect.match(effect, { onSuccess: (value): unknown => value, onFailure: text })

/** Reads a stored user by name; undefined if the user does not exist. */
export const present = (name: string): Effect.Effect<User | undefined, never, TestEnv> =>
  Effect.flatMap(UserStore, (store) => Effect.map(store.named(name), (found) => found?.user))

/** Repeats a request, each time one second later. `from` is the second of the test at which the first request runs. */
export const times = <A, E, R>(count: number, from: number, effect: Effect.Effect<A, E, R>) =>
  Effect.forEach(Array.from({ length: count }), (_, n) => at(from + n)(effect))

/** Creates one user of each type that visibility rules distinguish. */
export const people = Effect.gen(function* () {
  yield* user("boss", { admin: true })
  yield* user("open")
  yield* user("limited", { visibility: "limited" })
  yield* user("hidden", { visibility: "private", hideEmail: true })
  yield* user("Guest", { restricted: true })
})

/** Searches users by a part of their names. */
export const search = (sent: Sent, text?: string) =>
  Effect.flatMap(may("user.search", sent), (proof) => Users.search(proof, { text }, all))

/** Deletes a user. Also runs the event subscribers that react to the removal of the repositories. */
export const removeUser = (...input: Parameters<typeof UserRemoval.remove>) =>
  Effect.provide(UserRemoval.remove(...input), layerSubscribers)
