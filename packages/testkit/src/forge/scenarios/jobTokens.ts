import { assert } from "@effect/vitest"
import { type Repository, RepositoryStore, viewerOn } from "@slipway/domain/forge/code"
import { IssueStore } from "@slipway/domain/forge/collaboration"
import type { LoadedAction } from "@slipway/domain/forge/entry"
import { EventStore } from "@slipway/domain/forge/events"
import { accessTokens, hashOf, type JobLevel, PasswordHasher, UserStore } from "@slipway/domain/forge/identity"
import { RepositoryLists } from "@slipway/forge/code"
import { AccessTokens, AdminUsers, JobTokens, serviceAccountName, Users } from "@slipway/forge/identity"
import { Effect, Redacted } from "effect"
import { all, namesOf, newAccessToken, newIssueIn, newUser, userOwner, viewing } from "../builders.ts"
import { repository } from "../contracts/base/fixtures.ts"
import { at } from "../testEnv.ts"
import {
  actor,
  answer,
  basic,
  bearer,
  equal,
  may,
  mayAbout,
  mayOn,
  password,
  removeUser,
  type Scenario,
  type Sent,
  search,
  tokenOf,
  user,
  whoAmI
} from "./support.ts"

const invalid = "InvalidCredentials credentials"
const missing = "404 The target couldn't be found."
const write = 2
const read = 1

const jobOf = (jobId: number, { id: repositoryId }: Pick<Repository, "id">, level: JobLevel = write) =>
  JobTokens.mint({ jobId, repositoryId, level })

/** Stores a user with a private and a public repository, and the tokens of a workflow job of the private repository. */
const planted = Effect.gen(function* () {
  yield* user("boss", { admin: true })
  const ann = yield* user("ann")
  const own = yield* repository(1, userOwner(ann), { name: "own", private: true })
  const open = yield* repository(2, userOwner(ann), { name: "open" })
  return { ann, own, open, job: yield* jobOf(7, own), reading: yield* jobOf(8, own, read) }
})

/**
 * Returns `may` if a request is authorized for an action on a repository of the user `ann`; otherwise the error as
 * text.
 */
const tried = (action: "git.fetch", name: string, sent: Sent) =>
  answer(Effect.as(mayAbout(action, { kind: "repository", owner: "ann", repository: name }, sent), "may" as const))
const tries = (name: string, sent: Sent) =>
  // BOUNDARY: each of these actions is on a repository.
  Effect.forEach(["repository.read", "git.fetch", "git.push", "git.lfs.read", "git.lfs.write"], (action) =>
    tried(action as "git.fetch", name, sent)
  )

const anyPlace = Effect.gen(function* () {
  const { job, own } = yield* at(0)(planted)
  const expected = yield* at(1)(actor(bearer(job)))
  equal(
    [
      expected.user?.name,
      expected.task,
      expected.facts.actionsTask,
      expected.facts.siteAdmin,
      expected.facts.withPassword
    ],
    [serviceAccountName, { jobId: 7, repositoryId: own.id, level: write }, true, false, false]
  )
  for (const sent of [
    { authorization: `token ${job}` },
    basic(job, ""),
    basic("x-access-token", job),
    basic("ann", job),
    { token: job },
    { accessToken: job },
    { session: job }
  ]) {
    equal({ ...(yield* at(2)(actor(sent))), token: undefined }, { ...expected, token: undefined })
  }
})

const reaches = Effect.gen(function* () {
  const { job, own, reading } = yield* planted
  const may = "may"
  equal(yield* tries("own", bearer(job)), [may, may, may, may, may])
  const noScope = "403 token does not have the required scope(s): write:repository"
  const readOnly = yield* tries("own", basic("x", reading))
  equal(readOnly.slice(0, 2), [may, may])
  equal(readOnly[3], may)
  equal([readOnly[2], readOnly[4]], [noScope, noScope])
  // Another repository is readable as for any signed-in user, and never writable (invariants I3 and I9).
  const elsewhere = "403 the token of a job can only change its repository"
  equal(yield* tries("open", bearer(job)), [may, may, elsewhere, may, elsewhere])
  equal(yield* tries("open", bearer(reading)), [may, may, noScope, may, noScope])
  for (const token of [job, reading]) {
    for (const refusal of (yield* tries("none", bearer(token))).slice(0, 2)) equal(refusal, missing)
  }
  for (const refusal of yield* tries("none", bearer(job))) equal(refusal, missing)
  const owning = ["repository.edit", "repository.delete", "repository.key.create", "repository.hook.list"] as const
  for (const action of owning) {
    const refusal = yield* tried(action as LoadedAction as "git.fetch", "own", bearer(job))
    assert.match(String(refusal), /^403 /)
  }
  yield* (yield* RepositoryStore).replace({ ...own, archived: true })
  assert.match(String((yield* tries("own", bearer(job)))[2]), /^423 /)
})

const ends = Effect.gen(function* () {
  const { job, own, reading } = yield* at(0)(planted)
  equal(yield* at(86_399)(whoAmI(bearer(job))), serviceAccountName)
  equal(yield* at(86_400)(whoAmI(bearer(job))), invalid)
  yield* JobTokens.revoke([8, 9])
  equal(yield* at(3)(whoAmI(bearer(reading))), invalid)
  equal(yield* at(3)(whoAmI(bearer(job))), serviceAccountName)
  const again = yield* at(3)(jobOf(7, own))
  equal(yield* at(4)(whoAmI(bearer(job))), invalid)
  equal(yield* at(4)(whoAmI(bearer(again))), serviceAccountName)
  yield* (yield* RepositoryStore).remove(own.id)
  equal(yield* at(5)(whoAmI(bearer(again))), invalid)
  yield* JobTokens.revoke([7])
})

const isNobody = Effect.gen(function* () {
  const { ann } = yield* planted
  const account = yield* (yield* UserStore).system
  assert.isDefined(account)
  const boss = basic("boss")
  equal(yield* whoAmI(basic(serviceAccountName)), invalid)
  equal(yield* whoAmI(basic(account.email)), invalid)
  equal(yield* whoAmI({ ...boss, sudo: serviceAccountName }), `SudoUserNotFound ${serviceAccountName}`)
  // Even with a password, and without any other restriction on sign-in.
  const store = yield* UserStore
  yield* store.setPassword(account.id, yield* (yield* PasswordHasher).hash(Redacted.make(password)))
  yield* store.replace({ ...account, prohibited: false })
  equal(yield* whoAmI(basic(serviceAccountName)), invalid)
  equal(yield* whoAmI({ ...boss, sudo: serviceAccountName }), `SudoUserNotFound ${serviceAccountName}`)
  const text = `slp_${"a".repeat(40)}`
  const serviceToken = newAccessToken(1, account, { scopes: ["all"], hash: yield* hashOf(text) })
  yield* Effect.orDie((yield* accessTokens.store).insert(serviceToken))
  equal(yield* whoAmI(bearer(text)), invalid)
  equal(yield* answer(tokenOf(serviceAccountName)), `UserNotFound ${serviceAccountName}`)
  equal(yield* answer(mayOn("user.token.create", serviceAccountName, boss)), missing)
  const none = `UserNotFound ${serviceAccountName}`
  const editing = yield* may("admin.user.edit", boss)
  equal(yield* answer(AdminUsers.edit(editing, serviceAccountName, { prohibited: false })), none)
  const deleting = yield* may("admin.user.delete", boss)
  equal(yield* answer(removeUser(deleting, serviceAccountName, true)), none)
  equal(yield* answer(mayOn("user.read", serviceAccountName, boss)), missing)
  equal(ann.system, false)
})

const mintsNothing = Effect.gen(function* () {
  const { job } = yield* planted
  const sent = bearer(job)
  equal(
    yield* answer(mayOn("user.token.create", "ann", sent)),
    "403 token does not have the required scope(s): write:user"
  )
  equal(yield* whoAmI({ ...sent, sudo: "ann" }), "403 Only administrators allowed to sudo.")
  for (const action of ["admin.user.list", "admin.user.edit", "admin.cron.list", "account.password.set"] as const) {
    assert.match(String(yield* answer(may(action, sent))), /^40[13] /)
  }
  for (const action of ["account.key.create", "account.repository.create", "account.email.add"] as const) {
    assert.match(String(yield* answer(may(action, sent))), /^403 /)
  }
  const inUse = yield* AccessTokens.introspect(yield* may("token.read", sent))
  equal(
    [inUse.kind, inUse.name, inUse.scopes],
    ["job", "job 7", ["read:organization", "read:package", "read:user", "write:issue", "write:repository"]]
  )
})

const lists = Effect.gen(function* () {
  const { ann, job, open, own, reading } = yield* planted
  for (const { id } of [own, open]) yield* newIssueIn(id, ann.id, "one")
  for (const token of [job, reading]) {
    const found = yield* Effect.flatMap(may("repository.search", bearer(token)), (proof) =>
      RepositoryLists.search(proof, {}, all)
    )
    equal([found.rows.map(({ repository: { name } }) => name), found.total], [["own", "open"], 2])
    const issues = yield* (yield* IssueStore).search(
      { viewer: yield* viewerOn(yield* actor(bearer(token))) },
      {},
      "newest",
      all
    )
    equal([issues.rows.length, issues.total], [2, 2])
  }
})

const hidden = Effect.gen(function* () {
  const { job } = yield* planted
  for (const sent of [{}, basic("ann"), basic("boss")]) {
    const { names, total } = namesOf(yield* search(sent))
    equal([names, total], [["ann", "boss"], 2])
    equal((yield* search(sent, "slipway")).total, 0)
  }
  const account = yield* (yield* UserStore).system
  assert.isDefined(account)
  // The account is named only where it acts, like other users who are hidden from the viewer.
  equal((yield* Users.seen(viewing(account), account)).name, serviceAccountName)
  const met = (yield* (yield* UserStore).findMany(viewing(account), [account.id])).get(account.id)
  equal(met?.name, serviceAccountName)
  equal(yield* whoAmI(bearer(job)), serviceAccountName)
})

const madeOnce = Effect.gen(function* () {
  const store = yield* UserStore
  // A user from an earlier version has the name that is now reserved.
  const before = yield* store.insert(newUser(1, { name: serviceAccountName }))
  assert.isUndefined(yield* store.system)
  const repo = yield* repository(1, userOwner(before), { private: true })
  const tokens = yield* Effect.forEach([1, 2, 3, 4], (id) => jobOf(id, repo), { concurrency: "unbounded" })
  const names = yield* Effect.forEach(tokens, (token) => whoAmI(bearer(token)))
  equal(
    names,
    Array.from({ length: 4 }, () => `${serviceAccountName}-2`)
  )
  equal(yield* whoAmI(bearer(yield* tokenOf(serviceAccountName))), serviceAccountName)
})

const audited = Effect.gen(function* () {
  const { job } = yield* planted
  const sent = bearer(job)
  const { token } = yield* actor(sent)
  assert.isDefined(token)
  yield* AccessTokens.removeInUse(yield* may("token.delete", sent))
  const { rows } = yield* (yield* EventStore).audit({}, all)
  const [latest] = rows
  equal([latest?.action, latest?.actor?.name], ["token.delete", serviceAccountName])
  equal(latest?.signedInWith, { kind: "token", id: token.id, name: "job 7" })
  equal(yield* whoAmI(sent), invalid)
})

/**
 * Tests of job tokens (the credentials of workflow jobs): the access that they have, and the access that they must not
 * have.
 */
export const jobTokens: Scenario = {
  port: "job tokens",
  musts: {
    "I2: a job token authenticates the same job in every header and parameter": anyPlace,
    "I3, I9: a job token writes to its own repository within its level, and reads public ones": reaches,
    "I7: a job token is invalid after it expires, its job ends or its repository is removed": ends,
    "I5: no user signs in to, changes or impersonates the service account": isNobody,
    "I5: a job token creates no tokens, impersonates no user and administers nothing": mintsNothing,
    "I10: a job token lists its own repository and public ones": lists,
    "I9: lists omit the service account": hidden,
    "one service account is created, under another name if the first is taken": madeOnce,
    "the audit log names the service account and its job": audited
  }
}
