import { expect, it } from "@effect/vitest"
import type { OwnerName } from "@slipway/domain/forge/base"
import { EmailAddress, FollowStore, UserStore } from "@slipway/domain/forge/identity"
import { Entry } from "@slipway/forge/entry"
import {
  AccessTokens,
  AdminUsers,
  Blocks,
  Emails,
  Follows,
  SecondFactors,
  UserSettings,
  Users
} from "@slipway/forge/identity"
import { migrations } from "@slipway/sql/forge"
import { recordStatements } from "@slipway/sql/testing"
import { all, at, newUser, testEnv } from "@slipway/testkit/forge"
import { Effect, Layer, Redacted } from "effect"
import { Base64 } from "effect/encoding"
import { NetAddress } from "effect/net"
import { onOneEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

const address = NetAddress.ipFromStringUnsafe("192.0.2.1")
const password = "correct horse battery"

onOneEngine((engine) => {
  const layer = Layer.mergeAll(layerEmptied(engine), testEnv())

  it.live("an authenticated read takes at most three statements, whatever the number of rows", () =>
    Effect.gen(function* () {
      const users = yield* UserStore
      const follows = yield* FollowStore
      const boss = yield* AdminUsers.create(Entry.system("admin.user.create"), {
        name: "boss" as OwnerName,
        email: EmailAddress.make("boss@example.com"),
        password,
        mustChangePassword: false,
        admin: true
      })
      const { plain } = yield* AccessTokens.createFor(Entry.system("admin.user.edit"), "boss", {
        name: "all",
        scopes: ["all"],
        expiresAt: null
      })
      let made = 0
      const more = (count: number) =>
        Effect.forEach(Array.from({ length: count }), () =>
          Effect.gen(function* () {
            made += 1
            const user = yield* users.insert(newUser(made))
            yield* follows.add(user.id, boss.id)
            yield* follows.add(boss.id, user.id)
          })
        )
      const token = { address, authorization: `Bearer ${Redacted.value(plain)}` }
      const basic = { address, authorization: `Basic ${Base64.encode(`boss:${password}`)}` }
      const site = { kind: "site" } as const
      const user = { kind: "user", name: "BOSS" } as const
      const on = <A extends Entry.SiteAction, B, E, R>(
        action: A,
        use: (proof: Effect.Success<ReturnType<typeof Entry.authorize<A>>>) => Effect.Effect<B, E, R>,
        sent: Entry.EntryRequest = token
      ) =>
        Effect.gen(function* () {
          return yield* use(yield* Entry.authorize<A>(action, (yield* Entry.enter(sent, site)) as never))
        })
      const reads = {
        self: on("account.read", Users.readSelf),
        settings: on("account.settings.read", (proof) => Effect.succeed(UserSettings.read(proof))),
        emails: on("account.email.list", Emails.list),
        following: on("account.following.list", (proof) => Follows.ownFollowing(proof, all)),
        blocks: on("account.block.list", (proof) => Blocks.list(proof, all)),
        search: on("user.search", (proof) => Users.search(proof, { text: "user" }, all)),
        admin: on("admin.user.list", (proof) => AdminUsers.list(proof, {}, all)),
        addresses: on("admin.email.search", (proof) => Emails.searchAll(proof, "user", all)),
        token: on("token.read", AccessTokens.introspect),
        factor: on("account.second-factor.read", SecondFactors.read, basic),
        asAnother: on("account.following.list", (proof) => Follows.ownFollowing(proof, all), {
          ...token,
          sudo: "user-1"
        }),
        read: Effect.gen(function* () {
          return yield* Users.read(yield* Entry.authorize("user.read", yield* Entry.enter(token, user)))
        }),
        followers: Effect.gen(function* () {
          const entered = yield* Entry.enter(basic, user)
          return yield* Follows.followers(yield* Entry.authorize("user.follower.list", entered), all)
        }),
        tokens: Effect.gen(function* () {
          const entered = yield* Entry.enter(basic, user)
          return yield* AccessTokens.list(yield* Entry.authorize("user.token.list", entered), all)
        })
      }
      const measured = (seconds: number, apart = 0) =>
        Effect.map(
          Effect.forEach(Object.entries(reads), ([name, read], n) =>
            Effect.map(
              recordStatements(at(seconds + n * apart)(read as Effect.Effect<unknown, unknown>)),
              ([, statements]) => [name, statements.length]
            )
          ),
          (counts) => Object.fromEntries(counts) as Record<string, number>
        )
      yield* more(1)
      // The first use of a token or password per minute is recorded with one more statement.
      yield* measured(0)
      const few = yield* measured(10)
      expect(few).toEqual({
        self: 2,
        settings: 1,
        emails: 2,
        following: 2,
        blocks: 2,
        search: 2,
        admin: 2,
        addresses: 2,
        token: 1,
        factor: 1,
        asAnother: 2,
        read: 2,
        followers: 2,
        tokens: 2
      })
      yield* more(50)
      expect(yield* measured(20)).toEqual(few)
      // Also when each use is the first in its minute.
      for (const [name, count] of Object.entries(yield* measured(1_000, 100)))
        expect([name, count <= 3]).toEqual([name, true])
    }).pipe(Effect.provide(layer))
  )
}, migrations)
