import { assert } from "@effect/vitest"
import type { Sealed } from "@slipway/domain"
import type { Stores } from "@slipway/domain/forge"
import { noRepositoryGrants, RepositoryStore } from "@slipway/domain/forge/code"
import {
  accessTokens,
  BlockStore,
  emails,
  notAMember,
  OrganizationStore,
  organizationAsUser,
  SecondFactorStore,
  SignInStore,
  TeamStore,
  UserStore
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { addressOf, moment, newAccessToken, newCommentOn, newIssueIn, newUser, storedToken } from "../../builders.ts"
import { equal, oddTexts, team, user } from "../base/fixtures.ts"
import {
  about,
  builderGrants,
  creatorMembership,
  find,
  kingdom,
  load,
  ownerMembership,
  signIn,
  world
} from "./factsFixtures.ts"

/** Contract tests of `FactsStore`, which reads the values that authorize a request. */
export const facts: Contract<Stores> = {
  port: "FactsStore",
  musts: {
    "find the caller and the token by the hash of the token": Effect.gen(function* () {
      const { one, other } = yield* world
      const tokens = yield* accessTokens.store
      const row = newAccessToken(7, one, { expiresAt: moment(1), scopes: ["public-only", "write:user"] })
      const token = yield* tokens.insert(row)
      yield* tokens.insert(newAccessToken(8, other))
      equal(yield* load({ _tag: "TokenHash", hash: row.hash }), {
        caller: { user: one, token: storedToken(row, token), passwordHash: null, secondFactor: undefined },
        failures: [],
        sudo: undefined,
        found: {}
      })
      for (const hash of ["", "\0", row.hash.toUpperCase().replace("0", "1"), row.name]) {
        assert.isUndefined((yield* load({ _tag: "TokenHash", hash })).caller)
      }
    }),
    "find the caller by name, with the password hash, the second factor and the failed sign-ins": Effect.gen(
      function* () {
        const { one, users } = yield* world
        const factors = yield* SecondFactorStore
        const factor = { userId: one.id, secret: "sealed" as Sealed, confirmed: false, lastStep: 4 }
        const bare = { token: undefined, passwordHash: "hash of one", secondFactor: undefined }
        yield* factors.write(factor)
        equal((yield* load(signIn("USER-1"))).caller, { ...bare, user: one })
        yield* factors.write({ ...factor, confirmed: true })
        yield* (yield* SignInStore).fail({
          keys: ["b", "a", "c"],
          lasts: 1_000,
          at: moment(3),
          forgetBefore: moment(0),
          atMost: 9
        })
        const found = yield* load(signIn("user-1", ["a", "missing", "b"]))
        equal(found.caller, {
          ...bare,
          user: { ...one, secondFactor: true },
          secondFactor: { ...factor, confirmed: true }
        })
        equal(found.failures, [
          { key: "a", count: 1, lastAt: moment(3) },
          { key: "b", count: 1, lastAt: moment(3) }
        ])
        equal((yield* load({ _tag: "Name", name: "User-1" })).caller, {
          ...bare,
          passwordHash: null,
          user: { ...one, secondFactor: true }
        })
        yield* users.rename(one.id, "renamed")
        for (const key of [signIn("user-1"), { _tag: "Name", name: "user-1" } as const]) {
          assert.isUndefined((yield* load(key)).caller)
        }
        equal((yield* load(signIn("nobody", ["a"]))).failures.length, 1)
      }
    ),
    "find the caller only by a confirmed email address": Effect.gen(function* () {
      const { one, users } = yield* world
      const unconfirmed = yield* users.insert(newUser(3, { emailVerified: false }))
      yield* (yield* emails.store).insert(addressOf(one, "second@example.com"))
      for (const name of [one.email, "Second@Example.com"]) equal((yield* load(signIn(name))).caller?.user, one)
      assert.isUndefined((yield* load(signIn(unconfirmed.email))).caller)
      assert.isUndefined((yield* load({ _tag: "Name", name: one.email })).caller)
    }),
    "find an impersonated user only by the current name": Effect.gen(function* () {
      const { one, other, users } = yield* world
      const found = yield* load(signIn("user-1"), "USER-2")
      equal(found.caller?.user, one)
      equal(found.sudo, other)
      yield* users.rename(other.id, "renamed")
      assert.isUndefined((yield* load(signIn("user-1"), "user-2")).sudo)
      equal((yield* load({ _tag: "Nobody" }, "renamed")).sudo?.id, other.id)
    }),
    "find the user of a request, also by old names": Effect.gen(function* () {
      const { one, users } = yield* world
      equal(yield* about("USER-1"), { user: one, renamed: false, blocked: false })
      yield* users.rename(one.id, "renamed")
      equal(yield* about("user-1"), { user: { ...one, name: "renamed" }, renamed: true, blocked: false })
      equal(yield* about("renamed"), { user: { ...one, name: "renamed" }, renamed: false, blocked: false })
    }),
    "report to restricted callers whether they share an organization or a repository with a limited account":
      Effect.gen(function* () {
        const { acme, builders, notes } = yield* kingdom
        const rex = yield* user(4, { name: "rex", restricted: true })
        const lim = yield* user(5, { name: "lim", visibility: "limited" })
        const named = { kind: "user", name: "LIM" } as const
        const within = { kind: "organizationUser", organization: "acme", name: "lim" } as const
        const tied = (who: string, sudo?: string) =>
          Effect.map(Effect.all([find(named, who, sudo), find(within, who, sudo)]), ([alone, inside]) => [
            alone?.tied,
            inside?.user?.tied
          ])
        equal(yield* tied("rex"), [false, false])
        equal(yield* tied("bob"), [undefined, undefined])
        equal(yield* tied("bob", "rex"), [false, false])
        equal((yield* find({ kind: "user", name: "bob" }, "rex"))?.tied, undefined)
        const teams = yield* TeamStore
        yield* teams.addMember(builders.id, lim.id)
        yield* team(9, acme, {}, [rex])
        equal(yield* tied("rex"), [true, true])
        equal(yield* tied("bob", "rex"), [true, true])
        yield* teams.removeMember(builders.id, lim.id)
        equal(yield* tied("rex"), [false, false])
        const repositories = yield* RepositoryStore
        for (const { id } of [lim, rex]) yield* repositories.setCollaborator(notes.id, { userId: id, level: 1 })
        equal(yield* tied("rex"), [true, true])
      }),
    "find an organization under a user path, with the membership of the actor": Effect.gen(function* () {
      const { acme } = yield* kingdom
      const found = yield* find({ kind: "user", name: "ACME" }, "bob")
      equal(found, {
        user: organizationAsUser(acme),
        renamed: false,
        of: { organization: acme, renamed: false, membership: creatorMembership }
      })
      equal((yield* find({ kind: "user", name: "acme" }))?.of?.membership, notAMember)
      equal((yield* find({ kind: "user", name: "bob" }))?.of, undefined)
    }),
    "find the organization of a request, also by old names, with the membership of the actor": Effect.gen(function* () {
      const { acme } = yield* kingdom
      const about = { kind: "organization", organization: "ACME" } as const
      equal(yield* find(about), { organization: acme, renamed: false, membership: notAMember })
      equal(yield* find(about, "eve"), { organization: acme, renamed: false, membership: notAMember })
      equal(yield* find(about, "bob"), { organization: acme, renamed: false, membership: creatorMembership })
      equal(yield* find(about, "olga"), { organization: acme, renamed: false, membership: ownerMembership })
      yield* (yield* OrganizationStore).rename(acme.id, "globex")
      equal(yield* find(about, "bob"), {
        organization: { ...acme, name: "globex" },
        renamed: true,
        membership: creatorMembership
      })
      for (const name of [...oddTexts, "bob"]) {
        assert.isUndefined(yield* find({ kind: "organization", organization: name }, "bob"))
      }
    }),
    "find an organization and a user, each if it exists": Effect.gen(function* () {
      const { acme, eve, other } = yield* kingdom
      const both = (organization: string, name: string) => find({ kind: "organizationUser", organization, name }, "bob")
      const found = { organization: acme, renamed: false, membership: creatorMembership }
      equal(yield* both("acme", "eve"), { organization: found, user: { user: eve, renamed: false } })
      equal(yield* both("acme", "acme"), { organization: found, user: undefined })
      equal(yield* both("eve", "eve"), { organization: undefined, user: { user: eve, renamed: false } })
      equal(yield* both("\0", ""), { organization: undefined, user: undefined })
      equal((yield* both("other", "eve"))?.organization, {
        organization: other,
        renamed: false,
        membership: notAMember
      })
    }),
    "find the team of a request, with the membership of the actor": Effect.gen(function* () {
      const { acme, builders } = yield* kingdom
      const about = { kind: "team", id: builders.id } as const
      const found = { team: builders, organization: acme }
      equal(yield* find(about), { ...found, membership: notAMember, member: false })
      equal(yield* find(about, "eve"), { ...found, membership: notAMember, member: false })
      equal(yield* find(about, "bob"), { ...found, membership: creatorMembership, member: true })
      equal(yield* find(about, "olga"), { ...found, membership: ownerMembership, member: false })
      for (const id of [0, -1, 404_404, 1.5, Number.NaN]) assert.isUndefined(yield* find({ kind: "team", id }, "bob"))
    }),
    "find the repository of a request, also by old names of it and its owner, with the grants of the actor": Effect.gen(
      function* () {
        const { acme, bob, notes, site } = yield* kingdom
        const at = (owner: string, name: string) => ({ kind: "repository", owner, repository: name }) as const
        equal(yield* find(at("ACME", "SITE")), {
          repository: site,
          renamed: false,
          blocked: false,
          grants: noRepositoryGrants
        })
        equal(yield* find(at("acme", "site"), "bob"), {
          repository: site,
          renamed: false,
          blocked: false,
          grants: builderGrants
        })
        equal(yield* find(at("acme", "site"), "olga"), {
          repository: site,
          renamed: false,
          blocked: false,
          grants: { ...noRepositoryGrants, membership: { member: true, owner: true } }
        })
        equal(yield* find({ kind: "repository", id: site.id }, "bob"), {
          repository: site,
          renamed: false,
          blocked: false,
          grants: builderGrants
        })
        equal(yield* find(at("bob", "notes"), "eve"), {
          repository: notes,
          renamed: false,
          blocked: false,
          grants: { ...noRepositoryGrants, collaborator: 2 }
        })
        yield* (yield* OrganizationStore).rename(acme.id, "globex")
        yield* (yield* RepositoryStore).rename(notes.id, "diary")
        equal((yield* find(at("acme", "site"), "bob"))?.renamed, true)
        equal((yield* find(at("globex", "site"), "bob"))?.renamed, false)
        equal((yield* find(at("bob", "notes"), "bob"))?.repository, { ...notes, name: "diary" })
        equal((yield* find(at("bob", "notes"), "bob"))?.renamed, true)
        for (const name of oddTexts) {
          assert.isUndefined(yield* find(at("globex", name), "bob"))
          assert.isUndefined(yield* find(at(name, "site"), "bob"))
        }
        for (const id of [0, 404_404, 1.5]) assert.isUndefined(yield* find({ kind: "repository", id }, "bob"))
        equal(bob.name, notes.owner.name)
      }
    ),
    "report whether the owner of a repository blocks the actor": Effect.gen(function* () {
      const { acme, bob, notes, site } = yield* kingdom
      const blocks = yield* BlockStore
      yield* blocks.add({ blocker: acme.id, blocked: bob.id, note: "" })
      const target = { kind: "repository", id: site.id } as const
      equal((yield* find(target, "bob"))?.blocked, true)
      equal((yield* find({ kind: "repository", owner: "acme", repository: "site" }, "bob"))?.blocked, true)
      equal((yield* find(target, "olga"))?.blocked, false)
      equal((yield* find(target))?.blocked, false)
      // Blocks by bob and blocks of bob are two facts.
      equal((yield* find({ kind: "repository", id: notes.id }, "bob"))?.blocked, false)
    }),
    "report whether the actor and the user of a request block each other": Effect.gen(function* () {
      const { bob, olga } = yield* kingdom
      yield* (yield* BlockStore).add({ blocker: olga.id, blocked: bob.id, note: "" })
      const blocked = (name: string, by?: string) =>
        Effect.map(find({ kind: "user", name }, by), (found) => found?.blocked)
      equal([yield* blocked("olga", "bob"), yield* blocked("bob", "olga")], [true, true])
      equal(
        [yield* blocked("olga"), yield* blocked("bob", "bob"), yield* blocked("acme", "bob")],
        [false, false, undefined]
      )
    }),
    "report whether a user named with a team or repository blocks the actor, and whether its owner blocks that user":
      Effect.gen(function* () {
        const { acme, bob, builders, notes, olga } = yield* kingdom
        const blocks = yield* BlockStore
        yield* blocks.add({ blocker: acme.id, blocked: bob.id, note: "" })
        yield* blocks.add({ blocker: bob.id, blocked: olga.id, note: "" })
        const team = (named: string, by?: string) =>
          Effect.map(find({ kind: "team", id: builders.id, named }, by), (found) => found?.named)
        const site = (named: string, by?: string) =>
          Effect.map(
            find({ kind: "repository", owner: "acme", repository: "site", named }, by),
            (found) => found?.named
          )
        const of = (blocksCaller: boolean, blockedByOwner: boolean) => ({ blocksCaller, blockedByOwner })
        for (const beside of [team, site]) {
          equal(yield* beside("BOB", "olga"), of(true, true))
          equal(yield* beside("bob", "bob"), of(false, true))
          equal(yield* beside("bob"), of(false, true))
          equal(yield* beside("olga", "bob"), of(false, false))
          equal(yield* beside("acme", "bob"), of(true, false))
          assert.isUndefined(yield* beside("nobody", "olga"))
        }
        equal((yield* find({ kind: "repository", id: notes.id, named: "olga" }, "eve"))?.named, of(false, true))
        // A former name doesn't identify a user here.
        yield* (yield* UserStore).rename(bob.id, "robert")
        assert.isUndefined(yield* team("bob", "olga"))
        equal(yield* team("robert", "olga"), of(true, true))
      }),
    "find a team and a repository, each if it exists": Effect.gen(function* () {
      const { acme, builders, site } = yield* kingdom
      const both = (id: number, owner: string, name: string) =>
        find({ kind: "teamRepository", id, owner, repository: name }, "bob")
      const there = { team: builders, organization: acme, membership: creatorMembership, member: true }
      const held = { repository: site, renamed: false, blocked: false, grants: builderGrants }
      equal(yield* both(builders.id, "acme", "site"), { team: there, repository: held })
      equal(yield* both(builders.id, "acme", "nothing"), { team: there, repository: undefined })
      equal(yield* both(404_404, "acme", "site"), { team: undefined, repository: held })
    }),
    "find a resource only within the repository of its path": Effect.gen(function* () {
      const { bob, notes, site } = yield* kingdom
      const first = yield* newIssueIn(site.id, bob.id, "The door is open")
      const second = yield* newIssueIn(site.id, bob.id, "The door is shut")
      const other = yield* newIssueIn(notes.id, bob.id, "Paper")
      const said = yield* newCommentOn(second, bob.id, "Again")
      const issue = (owner: string, repository: string, index: number) =>
        find({ kind: "issue", owner, repository, keys: { index } }, "bob")
      const comment = (owner: string, repository: string, id: number) =>
        find({ kind: "comment", owner, repository, keys: { id } }, "bob")
      equal([first.number, second.number, other.number], [1, 2, 1])
      const held = { repository: site, renamed: false, blocked: false, grants: builderGrants }
      equal(yield* issue("acme", "site", 2), { ...held, item: { issue: second } })
      equal((yield* issue("bob", "notes", 1))?.item, { issue: other })
      equal(yield* issue("acme", "site", 3), { ...held, item: undefined })
      equal((yield* issue("bob", "notes", 2))?.item, undefined)
      assert.isUndefined(yield* issue("acme", "nothing", 1))
      equal((yield* comment("acme", "site", said.id))?.item, { issue: second, comment: said })
      equal((yield* comment("bob", "notes", said.id))?.item, undefined)
      // Resources with only a name as key exist if the repository exists.
      const team = (repository: string) =>
        find({ kind: "heldTeam", owner: "acme", repository, keys: { team: "any" } }, "bob")
      equal(yield* team("site"), { ...held, item: {} })
      assert.isUndefined(yield* team("nothing"))
      for (const id of [0, -1, 404_404, 1.5, Number.NaN]) {
        equal((yield* issue("acme", "site", id))?.item, undefined)
        equal((yield* comment("acme", "site", id))?.item, undefined)
      }
    }),
    "find the owner of packages, with the grants of the actor": Effect.gen(function* () {
      const { acme, bob } = yield* kingdom
      const ownerOf = (owner: string, name?: string) => find({ kind: "packageOwner", owner }, name)
      const { fullName, id, name, repoAdminChangeTeamAccess, visibility } = acme
      const found = {
        owner: { kind: "organization", id, name, fullName, visibility, repoAdminChangeTeamAccess },
        renamed: false
      }
      equal(yield* ownerOf("acme"), { ...found, membership: { member: false, owner: false }, teamPackages: 0 })
      equal(yield* ownerOf("acme", "bob"), { ...found, membership: { member: true, owner: false }, teamPackages: 1 })
      equal(yield* ownerOf("acme", "olga"), { ...found, membership: { member: true, owner: true }, teamPackages: 0 })
      equal((yield* ownerOf("BOB", "bob"))?.owner, {
        kind: "user",
        id: bob.id,
        name: bob.name,
        fullName: bob.fullName,
        visibility: bob.visibility,
        repoAdminChangeTeamAccess: false
      })
      for (const odd of oddTexts) assert.isUndefined(yield* ownerOf(odd, "bob"))
    }),
    "count the grants of the impersonated user": Effect.gen(function* () {
      const { builders } = yield* kingdom
      const about = { kind: "organization", organization: "acme" } as const
      equal((yield* find(about, "olga", "bob"))?.membership, creatorMembership)
      equal((yield* find(about, "olga", "eve"))?.membership, notAMember)
      equal((yield* find({ kind: "team", id: builders.id }, "olga", "bob"))?.member, true)
      const site = { kind: "repository", owner: "acme", repository: "site" } as const
      equal((yield* find(site, "olga", "bob"))?.grants, builderGrants)
      equal((yield* find(site, undefined, "bob"))?.grants, builderGrants)
    }),
    "find no caller and no user for unknown names": Effect.gen(function* () {
      yield* world
      const nobody = { caller: undefined, failures: [], sudo: undefined, found: {} }
      equal(yield* load({ _tag: "Nobody" }), nobody)
      for (const name of ["", "nobody", "\0", "\ud800", "%"]) {
        equal(yield* load(signIn(name, []), name), nobody)
        equal(yield* load({ _tag: "Name", name }), nobody)
        assert.isUndefined(yield* about(name))
      }
    })
  }
}
