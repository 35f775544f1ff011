import { assert } from "@effect/vitest"
import type { ScopeWord } from "@slipway/domain/forge/access"
import { profileOf, UserStore } from "@slipway/domain/forge/identity"
import { Blocks, Follows, Users } from "@slipway/forge/identity"
import { Effect } from "effect"
import { all, namesOf } from "../builders.ts"
import {
  actor,
  answer,
  basic,
  bearer,
  equal,
  may,
  mayOn,
  password,
  people,
  present,
  type Scenario,
  type Sent,
  search,
  tokenOf,
  user,
  whoAmI
} from "./support.ts"

const names = ["boss", "Guest", "hidden", "limited", "open"]

/** Returns the credentials of all callers, with passwords and with tokens. */
const askers = Effect.gen(function* () {
  const list: Array<readonly [string, Sent]> = [["anonymous", {}]]
  for (const name of names) {
    list.push([name, basic(name)])
    for (const words of [["all"], ["read:user"], ["all", "public-only"]] as ReadonlyArray<ReadonlyArray<ScopeWord>>) {
      list.push([`${name} with ${words}`, bearer(yield* tokenOf(name, words))])
    }
  }
  return list
})

const readable = (sent: Sent) =>
  Effect.filter(names, (name) =>
    Effect.match(Effect.flatMap(mayOn("user.read", name, sent), Users.read), {
      onSuccess: () => true,
      onFailure: () => false
    })
  )

const listIsFilteredRead = Effect.gen(function* () {
  yield* people
  for (const [who, sent] of yield* askers) {
    const page = yield* search(sent)
    const read = yield* readable(sent)
    // Restricted users can read public profiles by name, but lists contain only users who share something with them.
    const shown = who.startsWith("Guest") ? read.filter((name) => name === "Guest") : read
    equal([who, namesOf(page)], [who, { names: shown, total: page.rows.length }])
    for (const row of page.rows) {
      equal(yield* Effect.flatMap(mayOn("user.read", row.name, sent), Users.read), {
        ...row,
        lastSignInAt: (yield* present(row.name))?.lastSignInAt ?? null
      })
    }
  }
})

const publicOnlyIsWithin = Effect.gen(function* () {
  yield* people
  const everyone = namesOf(yield* search({})).names
  for (const name of names) {
    const sent = bearer(yield* tokenOf(name, ["all", "public-only"]))
    // A restricted user's public-only token doesn't see more than the user.
    const seen = name === "Guest" ? ["Guest"] : everyone
    equal(namesOf(yield* search(sent)).names, seen)
    for (const each of seen) {
      const read = (by: Sent) =>
        Effect.gen(function* () {
          const viewer = yield* actor(by)
          return profileOf(viewer, yield* Effect.flatMap(mayOn("user.read", each, by), Users.read), "forge.example")
        })
      equal(yield* read(sent), yield* read({}))
    }
  }
})

const hiddenIsMissing = Effect.gen(function* () {
  yield* people
  yield* user("moved", { visibility: "private" })
  const moved = yield* present("moved")
  assert.isDefined(moved)
  yield* (yield* UserStore).rename(moved.id, "elsewhere")
  const actions = [
    "user.read",
    "user.follower.list",
    "user.following.list",
    "user.token.list",
    "user.token.create",
    "user.feed.list",
    "account.following.add",
    "account.following.check"
  ] as const
  for (const action of actions) {
    equal(
      [action, yield* answer(mayOn(action, "nobody", basic("boss")))],
      [action, "404 The target couldn't be found."]
    )
  }
  for (const [who, sent] of yield* askers) {
    if (who.startsWith("boss") || who.startsWith("hidden")) continue
    for (const action of actions) {
      const missing = yield* answer(mayOn(action, "nobody", sent))
      for (const name of ["hidden", "moved", "elsewhere"]) {
        equal([who, action, yield* answer(mayOn(action, name, sent))], [who, action, missing])
      }
    }
  }
  const resultsFor = (name: string) =>
    Effect.gen(function* () {
      return [
        yield* answer(Effect.flatMap(may("account.block.add", basic("open")), (proof) => Blocks.add(proof, name, ""))),
        yield* answer(Effect.flatMap(may("account.block.check", basic("open")), (proof) => Blocks.check(proof, name))),
        yield* answer(
          Effect.flatMap(may("account.block.remove", basic("open")), (proof) => Blocks.remove(proof, name))
        ),
        yield* answer(
          Effect.flatMap(may("account.following.remove", basic("open")), (proof) => Follows.unfollow(proof, name))
        ),
        yield* answer(
          Effect.flatMap(mayOn("user.following.check", "open", basic("open")), (proof) =>
            Follows.isFollowing(proof, name)
          )
        )
      ].map((each) => String(each).replace(name, "*"))
    })
  equal(yield* resultsFor("hidden"), yield* resultsFor("nobody"))
  equal(yield* resultsFor("moved"), yield* resultsFor("nobody"))
})

const follows = Effect.gen(function* () {
  yield* people
  const follow = (by: string, name: string) =>
    answer(Effect.flatMap(mayOn("account.following.add", name, basic(by)), Follows.follow))
  const own = (by: string) =>
    Effect.flatMap(may("account.following.list", basic(by)), (proof) =>
      Effect.map(Follows.ownFollowing(proof, all), namesOf)
    )
  equal(yield* follow("open", "limited"), undefined)
  equal(yield* follow("open", "limited"), undefined)
  equal(yield* follow("open", "open"), "NotYourself")
  equal(yield* follow("open", "hidden"), "404 The target couldn't be found.")
  equal(yield* follow("hidden", "open"), undefined)
  equal(yield* own("open"), { names: ["limited"], total: 1 })
  const followers = (by: string) =>
    Effect.flatMap(mayOn("user.follower.list", "open", basic(by)), (proof) =>
      Effect.map(Follows.followers(proof, all), namesOf)
    )
  equal(yield* followers("limited"), { names: [], total: 0 })
  equal(yield* followers("hidden"), { names: ["hidden"], total: 1 })
  const amFollowing = (name: string) =>
    answer(Effect.flatMap(mayOn("account.following.check", name, basic("open")), Follows.amFollowing))
  equal(yield* amFollowing("limited"), true)
  equal(yield* amFollowing("boss"), false)
  const unfollow = (name: string) =>
    answer(Effect.flatMap(may("account.following.remove", basic("open")), (proof) => Follows.unfollow(proof, name)))
  // A user who becomes private drops out of the list, and can still be unfollowed.
  const limited = yield* present("limited")
  assert.isDefined(limited)
  yield* (yield* UserStore).replace({ ...limited, visibility: "private" })
  equal(yield* own("open"), { names: [], total: 0 })
  yield* (yield* UserStore).rename(limited.id, "unlimited")
  equal(yield* unfollow("limited"), "UserNotFound limited")
  yield* (yield* UserStore).replace(limited)
  equal(yield* unfollow("limited"), "UserRenamed limited unlimited")
  yield* (yield* UserStore).replace({ ...limited, visibility: "private" })
  equal(yield* unfollow("unlimited"), undefined)
  equal(yield* unfollow("unlimited"), "UserNotFound unlimited")
})

const blocks = Effect.gen(function* () {
  yield* people
  const follow = (by: string, name: string) =>
    answer(Effect.flatMap(mayOn("account.following.add", name, basic(by)), Follows.follow))
  const block = (by: string, name: string) =>
    answer(Effect.flatMap(may("account.block.add", basic(by)), (proof) => Blocks.add(proof, name, "noise")))
  const unblock = (by: string, name: string) =>
    answer(Effect.flatMap(may("account.block.remove", basic(by)), (proof) => Blocks.remove(proof, name)))
  yield* follow("open", "boss")
  yield* follow("boss", "open")
  equal(yield* block("open", "open"), "NotYourself")
  equal(yield* block("open", "BOSS"), undefined)
  const of = (by: string) =>
    Effect.flatMap(may("account.following.list", basic(by)), (proof) =>
      Effect.map(Follows.ownFollowing(proof, all), (page) => page.total)
    )
  equal([yield* of("open"), yield* of("boss")], [0, 0])
  for (const [by, name] of [
    ["boss", "open"],
    ["open", "boss"]
  ] as const) {
    equal(yield* follow(by, name), "403 user is blocked")
  }
  const list = Effect.flatMap(may("account.block.list", basic("open")), (proof) =>
    Effect.map(Blocks.list(proof, all), namesOf)
  )
  equal(yield* list, { names: ["boss"], total: 1 })
  const check = Effect.flatMap(may("account.block.check", basic("open")), (proof) => Blocks.check(proof, "boss"))
  equal(yield* check, true)
  equal(yield* unblock("open", "boss"), undefined)
  equal(yield* check, false)
  equal(yield* unblock("open", "boss"), "UserNotFound boss")
  equal(yield* follow("boss", "open"), undefined)
})

const profiles = Effect.gen(function* () {
  yield* people
  const shown = (sent: Sent, name: string) =>
    Effect.gen(function* () {
      const viewer = yield* actor(sent)
      const read = yield* Effect.flatMap(mayOn("user.read", name, sent), Users.read)
      const { account, email } = profileOf(viewer, read, "forge.example")
      return [email, account !== undefined]
    })
  equal(yield* shown({}, "open"), ["open@noreply.forge.example", false])
  equal(yield* shown(basic("limited"), "open"), ["open@example.com", false])
  equal(yield* shown(basic("open"), "open"), ["open@example.com", true])
  equal(yield* shown(basic("boss"), "open"), ["open@example.com", true])
  equal(yield* shown(basic("boss"), "hidden"), ["hidden@example.com", true])
  const open = yield* present("open")
  assert.isDefined(open)
  yield* (yield* UserStore).replace({ ...open, hideEmail: true })
  equal(yield* shown(basic("limited"), "open"), ["open@noreply.forge.example", false])
  const self = yield* Effect.flatMap(
    may("account.read", bearer(yield* tokenOf("hidden", ["read:user", "public-only"]))),
    Users.readSelf
  )
  equal(self.name, "hidden")
})

const renamed = Effect.gen(function* () {
  yield* people
  const open = yield* present("open")
  assert.isDefined(open)
  yield* (yield* UserStore).rename(open.id, "opened")
  const read = (sent: Sent, name: string) =>
    answer(Effect.map(Effect.flatMap(mayOn("user.read", name, sent), Users.read), (each) => each.name))
  equal(yield* read({}, "OPEN"), 'Renamed {"name":"opened"}')
  equal(yield* read({}, "opened"), "opened")
  // The redirect comes before the sign-in check, and after the scope check.
  equal(yield* answer(mayOn("user.follower.list", "open", {})), 'Renamed {"name":"opened"}')
  const token = yield* tokenOf("limited", ["read:issue"])
  equal(yield* read(bearer(token), "open"), "403 token does not have the required scope(s): read:user")
  equal(yield* whoAmI(basic("open", password)), "InvalidCredentials credentials")
  equal(yield* whoAmI(basic("opened", password)), "opened")
  const boss = yield* present("boss")
  assert.isDefined(boss)
  yield* (yield* UserStore).rename(boss.id, "open")
  equal(yield* read({}, "open"), "open")
})

/** Tests of users who see, follow and block each other. */
export const userRelations: Scenario = {
  port: "user interactions",
  musts: {
    "I10: a list of users contains exactly the users that the caller can read": listIsFilteredRead,
    "I4: a public-only token reads the same fields of users as an anonymous caller": publicOnlyIsWithin,
    "I9: hidden users get the same responses as missing ones": hiddenIsMissing,
    "email addresses and account states are visible only to permitted callers": profiles,
    "an old name redirects to a visible renamed user": renamed,
    "a user follows and unfollows": follows,
    "a block ends follows in both directions": blocks,
    "I7: a user no longer sees a user who becomes private": Effect.gen(function* () {
      yield* people
      yield* Effect.flatMap(mayOn("account.following.add", "limited", basic("open")), Follows.follow)
      yield* Effect.flatMap(may("account.block.add", basic("open")), (proof) => Blocks.add(proof, "Guest", ""))
      const store = yield* UserStore
      for (const name of ["limited", "Guest"]) {
        const before = yield* present(name)
        assert.isDefined(before)
        yield* store.replace({ ...before, visibility: "private" })
      }
      const following = yield* Effect.flatMap(may("account.following.list", basic("open")), (proof) =>
        Follows.ownFollowing(proof, all)
      )
      const blocked = yield* Effect.flatMap(may("account.block.list", basic("open")), (proof) =>
        Blocks.list(proof, all)
      )
      const self = yield* Effect.flatMap(may("account.read", basic("open")), Users.readSelf)
      equal([following.total, blocked.total, self.following], [0, 0, 0])
    })
  }
}
