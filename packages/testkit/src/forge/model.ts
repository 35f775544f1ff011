import { type Visibility, visibilities } from "@slipway/access"
import type { Duplicate, Missing, Sealed } from "@slipway/domain"
import type { Stores } from "@slipway/domain/forge"
import type { ScopeWord } from "@slipway/domain/forge/access"
import { RepositoryStore } from "@slipway/domain/forge/code"
import { FactsStore } from "@slipway/domain/forge/entry"
import {
  accessTokens,
  BlockStore,
  EmailSearch,
  emails,
  emailsOf,
  FollowStore,
  replacePrimary,
  SecondFactorStore,
  SignInStore,
  sameName,
  type UserId,
  UserStore
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { all, anonymousViewer, missing, moment, newAccessToken, newUser, viewing } from "./builders.ts"

/** A generator of random choices. The same seed gives the same choices on every run. */
export interface Dice {
  readonly below: (bound: number) => number
  readonly of: <A>(choices: readonly [A, ...ReadonlyArray<A>]) => A
}

/** Returns a generator of random choices with a seed. */
export const dice = (seed: number): Dice => {
  let state = seed >>> 0
  const below = (bound: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
  return { below, of: (choices) => choices[below(choices.length)] as (typeof choices)[0] }
}

/** An operation on stores that returns its result without the ids that stores assign. */
export interface Command {
  readonly text: string
  readonly answer: Effect.Effect<unknown, never, Stores>
}

const names = ["Ann", "bob", "BOB", "cy", "dora", "EVE", "eve", "ann"] as const
const addresses = ["a@example.com", "A@EXAMPLE.com", "b@example.com", "c@example.com", "d@example.com"] as const
const tokenNames = ["one", "ONE", "two", "three"] as const
const hashes = ["aa", "bb", "cc"] as const
const scopes = [["all"], ["read:user"], ["all", "public-only"]] as const satisfies ReadonlyArray<
  ReadonlyArray<ScopeWord>
>

/**
 * Removes cursors and ids from a result, so that results of different stores are comparable. Cursors are opaque, and
 * stores skip ids after rejected inserts.
 */
export const bare = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (key, each: unknown) =>
      key === "primaryOf" ? each !== null : key === "id" || key === "next" || key.endsWith("Id") ? undefined : each
    )
  )

const idOf = (name: string) =>
  Effect.flatMap(UserStore, (store) => Effect.map(store.named(name), (found) => found?.user.id ?? missing))

const viewer = Effect.fnUntraced(function* (name: string) {
  const found = yield* (yield* UserStore).named(name)
  return found === undefined ? anonymousViewer : viewing(found.user)
})

/** Returns the result of an effect. An error is returned as text. */
export const refusable = <A, R>(effect: Effect.Effect<A, Duplicate | Missing, R>) =>
  Effect.match(effect, { onSuccess: (value): unknown => value, onFailure: ({ _tag, of }): unknown => `${_tag} ${of}` })

type Ids = readonly [UserId, UserId]
const pair = (one: string, other: string) =>
  Effect.all([idOf(one), idOf(other)]) as Effect.Effect<Ids, never, UserStore>

const present = (ids: Ids) => !ids.includes(missing)

/** Generates a random command. `n` makes names unique within one run. */
export const command = (dice: Dice, n: number): Command => {
  const name = dice.of(names)
  const other = dice.of(names)
  const address = dice.of(addresses)
  const visibility = dice.of(visibilities as readonly [Visibility, ...Array<Visibility>])
  const page = dice.of([all, { page: 1, perPage: 2 }, { page: 2, perPage: 2 }])
  const tokenName = dice.of(tokenNames)
  const step = dice.below(6)
  const hash = dice.of(hashes)
  const words = dice.of<ReadonlyArray<ScopeWord>>(scopes)
  const flag = dice.of([true, false])
  const at = moment(n)
  const say = (text: string, answer: Effect.Effect<unknown, never, Stores>): Command => ({
    text,
    answer: Effect.map(answer, bare)
  })
  const users = <A>(use: (store: UserStore["Service"]) => Effect.Effect<A, never, Stores>) =>
    Effect.flatMap(UserStore, use)
  const makers: readonly [() => Command, ...ReadonlyArray<() => Command>] = [
    () =>
      say(
        `insert ${name} ${address} ${visibility}`,
        users((store) =>
          refusable(store.insert(newUser(n, { name, email: address, visibility, admin: flag, emailVerified: flag })))
        )
      ),
    () =>
      say(
        `rename ${name} ${other}`,
        users((store) => Effect.flatMap(idOf(name), (id) => refusable(store.rename(id, other))))
      ),
    () =>
      say(
        `remove ${name}`,
        Effect.gen(function* () {
          const id = yield* idOf(name)
          // The use case first checks that the user owns nothing.
          if (yield* (yield* RepositoryStore).ownsAny(id)) return "owner"
          return yield* (yield* UserStore).remove(id)
        })
      ),
    () =>
      say(
        `replace ${name} ${visibility}`,
        users((store) =>
          Effect.flatMap(store.named(name), (found) =>
            found === undefined
              ? Effect.succeed(false)
              : store.replace({ ...found.user, visibility, active: flag, fullName: `${other} ${n}`, updatedAt: at })
          )
        )
      ),
    () =>
      say(
        `search ${other.slice(0, 1)} as ${name}`,
        users((store) => Effect.flatMap(viewer(name), (by) => store.search(by, { text: other.slice(0, 1) }, page)))
      ),
    () =>
      say(
        `administrators`,
        users((store) => Effect.map(store.lockAdministrators, (ids) => ids.length))
      ),
    () =>
      say(
        `add ${address} to ${name}`,
        Effect.gen(function* () {
          const id = yield* idOf(name)
          const row = { userId: id, primaryOf: null, address, verified: flag }
          return id === missing ? "nobody" : yield* refusable((yield* emails.store).insert(row))
        })
      ),
    () =>
      say(
        `take ${address} from ${name}`,
        Effect.gen(function* () {
          const id = yield* idOf(name)
          const own = (yield* emailsOf(id)).find((each) => sameName(each.address, address))
          if (own?.primaryOf === null) yield* (yield* emails.store).remove({ userId: id }, own.id)
          return yield* emailsOf(id)
        })
      ),
    () =>
      say(
        `make ${address} the primary one of ${name}`,
        Effect.gen(function* () {
          const id = yield* idOf(name)
          return id === missing
            ? "nobody"
            : yield* Effect.catch(replacePrimary(id, address), ({ _tag }) => Effect.succeed(_tag))
        })
      ),
    () =>
      say(
        `addresses with ${address.slice(0, 3)}`,
        Effect.flatMap(EmailSearch, (store) => store.search(address.slice(0, 3), page))
      ),
    () =>
      say(
        `${name} follows ${other}: ${flag}`,
        Effect.gen(function* () {
          const ids = yield* pair(name, other)
          const store = yield* FollowStore
          if (!flag) return yield* store.remove(...ids)
          return present(ids) ? yield* store.add(...ids) : "nobody"
        })
      ),
    () =>
      say(
        `follows of ${name} as ${other}`,
        Effect.gen(function* () {
          const id = yield* idOf(name)
          const by = yield* viewer(other)
          const store = yield* FollowStore
          return [yield* store.followers(by, id, page), yield* store.following(by, id, page)]
        })
      ),
    () =>
      say(
        `${name} blocks ${other}: ${flag}`,
        Effect.gen(function* () {
          const ids = yield* pair(name, other)
          const store = yield* BlockStore
          if (!flag) return yield* store.remove(...ids)
          return present(ids) ? yield* store.add({ blocker: ids[0], blocked: ids[1], note: at }) : "nobody"
        })
      ),
    () =>
      say(
        `blocks of ${name}`,
        Effect.gen(function* () {
          const ids = yield* pair(name, other)
          const store = yield* BlockStore
          const list = yield* store.list(yield* viewer(name), ids[0], page)
          return [list, (yield* store.find(...ids))?.note]
        })
      ),
    () =>
      say(
        `token ${tokenName} of ${name}`,
        Effect.gen(function* () {
          const id = yield* idOf(name)
          if (id === missing) return "nobody"
          const row = newAccessToken(n, { id }, { name: tokenName, scopes: words })
          return yield* refusable((yield* accessTokens.store).insert(row))
        })
      ),
    () =>
      say(
        `tokens of ${name}`,
        Effect.flatMap(idOf(name), (id) =>
          Effect.flatMap(accessTokens.store, (store) => store.list({ userId: id }, page))
        )
      ),
    () =>
      say(
        `token ${tokenName} of ${name} is used, or gone`,
        Effect.gen(function* () {
          const id = yield* idOf(name)
          const store = yield* accessTokens.store
          const token = yield* store.findBy("name", { userId: id, name: tokenName })
          if (token === undefined) return "none"
          if (flag) return yield* store.remove({ userId: id }, token.id)
          return yield* refusable(store.patch({ userId: id }, token.id, { lastUsedAt: moment(step) }))
        })
      ),
    () =>
      say(
        `second factor of ${name}`,
        Effect.gen(function* () {
          const id = yield* idOf(name)
          const store = yield* SecondFactorStore
          if (id === missing) return "nobody"
          if (step === 0) return yield* store.remove(id)
          yield* store.write({ userId: id, secret: at as Sealed, confirmed: flag, lastStep: step })
          yield* store.writeRecoveryCodes(id, hashes.slice(0, step))
          return yield* store.countRecoveryCodes(id)
        })
      ),
    () =>
      say(
        `${name} signs in with ${step} or ${hash}`,
        Effect.gen(function* () {
          const id = yield* idOf(name)
          if (id === missing) return "nobody"
          const code = flag ? ({ _tag: "Step", step } as const) : ({ _tag: "Recovery", hash } as const)
          return yield* (yield* SignInStore).succeed({ userId: id, at, code, forgive: [other] })
        })
      ),
    () =>
      say(
        `${name} and ${other} fail`,
        Effect.gen(function* () {
          const store = yield* SignInStore
          yield* store.fail({ keys: [name, `${other} too`], at, forgetBefore: moment(n - 40), atMost: 6, lasts: 20 })
          return yield* store.failures([...names, `${other} too`])
        })
      ),
    () =>
      say(
        `facts of ${name} by name and ${other}`,
        Effect.flatMap(FactsStore, (store) =>
          store.load({
            caller: { _tag: "SignInName", name: flag ? name : address, failureKeys: [name] },
            sudo: other,
            about: { kind: "user", name: other }
          })
        )
      ),
    () =>
      say(
        `facts of token ${step}`,
        Effect.flatMap(FactsStore, (store) =>
          store.load({
            caller: { _tag: "TokenHash", hash: newAccessToken(n - step, { id: missing }).hash },
            sudo: undefined,
            about: { kind: "user", name: other }
          })
        )
      )
  ]
  return dice.of(makers)()
}
