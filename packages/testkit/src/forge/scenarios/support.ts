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

/** A scenario of use cases, tested on every store: each sentence has a test. */
export type Scenario = Contract<TestEnv>

/** Asserts that two values are deeply equal. */
export const equal = (actual: unknown, expected: unknown): void => assert.deepStrictEqual(actual, expected)

/** The password that every user of a scenario has. */
export const password = "correct horse battery"

/** Creates a user with the usual password. */
export const user = (name: string, facts: Omit<Partial<AdminUsers.NewAccount>, "name" | "email"> = {}) =>
  AdminUsers.create(Entry.system("admin.user.create"), {
    name: name as OwnerName,
    email: EmailAddress.make(`${name}@example.com`),
    password,
    mustChangePassword: false,
    ...facts
  })

/** Creates a token for a user and returns its text. */
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
/** The fields of a test's request; the IP address is a neutral one by default. */
export type Sent = Partial<Entry.EntryRequest>

/** Returns a request's basic authentication with a name and a password, or with a token in place of either. */
export const basic = (name: string, secret = password, oneTimeCode?: string): Sent => ({
  authorization: `Basic ${Base64.encode(`${name}:${secret}`)}`,
  oneTimeCode
})

/** Returns a request's authentication with a token. */
export const bearer = (token: string): Sent => ({ authorization: `Bearer ${token}` })

/** Authorizes a request about a target. */
export const authorizeAbout = <K extends LoadedKind>(sent: Sent, about: Target<K>) =>
  Entry.enter({ address: ip("192.0.2.7"), ...sent }, about)

/** Authorizes a request about the site or the caller. */
export const enter = (sent: Sent) => authorizeAbout(sent, { kind: "site" })

/** Returns the actor of an authenticated request. */
export const actor = (sent: Sent) => Effect.map(enter(sent), (entered) => entered.actor)

/** Returns the user name of an authenticated request, or the reason of its rejection. */
export const whoAmI = (sent: Sent) => answer(Effect.map(actor(sent), (each) => each.user?.name ?? "anonymous"))

/** Returns the proof that a request is authorized for the site or the caller. */
export const may = <A extends Entry.SiteAction>(action: A, sent: Sent): Effect.Effect<Proof<A>, unknown, TestEnv> =>
  Effect.flatMap(enter(sent), (each) => Entry.authorize<A>(action, each as never))

/** Returns the proof that a request is authorized for a resource. */
export const mayAbout = <A extends LoadedAction>(
  action: A,
  about: Target<KindOf<A> & LoadedKind>,
  sent: Sent
): Effect.Effect<Proof<A>, unknown, TestEnv> =>
  Effect.flatMap(authorizeAbout(sent, about), (each) => Entry.authorize<A>(action, each as never))

/** The actions on a user. */
type UserAction = { [A in LoadedAction]: KindOf<A> extends "user" ? A : never }[LoadedAction]

/** Returns the proof that a request is authorized for an action on a user. */
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

/** Returns the result of an effect, or the text of its error. */
export const answer = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<unknown, never, R> =>
  Effect.match(effect, { onSuccess: (value): unknown => value, onFailure: text })

/** Reads a stored user. */
export const present = (name: string): Effect.Effect<User | undefined, never, TestEnv> =>
  Effect.flatMap(UserStore, (store) => Effect.map(store.named(name), (found) => found?.user))

/** Runs requests one after the other, one second apart, from a given second of the scenario. */
export const times = <A, E, R>(count: number, from: number, effect: Effect.Effect<A, E, R>) =>
  Effect.forEach(Array.from({ length: count }), (_, n) => at(from + n)(effect))

/** Creates one user of each type that visibility distinguishes. */
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

/** Deletes a user, with the subscribers that react to the removal of the user's repositories. */
export const removeUser = (...input: Parameters<typeof UserRemoval.remove>) =>
  Effect.provide(UserRemoval.remove(...input), layerSubscribers)
