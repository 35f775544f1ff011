// Fills the stores in memory with a large site, and measures their memory and the rate of decisions. Exits with code 1
// when 100,000 repositories take more than 400 MB of heap or resident memory, or fewer than 100,000 decisions are made
// per second.
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { type ActionName, actionNames, actions } from "@slipway/domain/forge/access"
import { type OwnerKey, RepositoryStore } from "@slipway/domain/forge/code"
import type { LoadedAction } from "@slipway/domain/forge/entry"
import { OrganizationStore, type TeamId, TeamStore, type UserId, UserStore } from "@slipway/domain/forge/identity"
import { Entry } from "@slipway/forge/entry"
import { layer } from "@slipway/memory/forge"
import { newOrganization, newRepository, newTeam, newUser, testEnv } from "@slipway/testkit/forge"
import { Effect, Layer } from "effect"
import { print, printProgress } from "./support/output.ts"

const counts = { repositories: 100_000, users: 10_000, teams: 1_000, organizations: 100 }
const most = 400
const least = 100_000
const seconds = 5

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as (how: { readonly type: "major"; readonly flavor: "last-resort" }) => void

// Free memory is returned to the system, so that the resident memory is what the process needs.
const megabytes = () => {
  collect({ type: "major", flavor: "last-resort" })
  const { arrayBuffers, external, heapUsed, rss } = process.memoryUsage()
  return { held: (heapUsed + external + arrayBuffers) / 1e6, resident: rss / 1e6 }
}

const number = (value: number) => Math.round(value).toLocaleString("en-US")

/**
 * Creates users and repositories. Half of the repositories belong to organizations with teams of 100 repositories and
 * 20 members; a tenth of the repositories have collaborators.
 */
const filled = Effect.gen(function* () {
  const [users, organizations] = [yield* UserStore, yield* OrganizationStore]
  const [teams, repositories] = [yield* TeamStore, yield* RepositoryStore]
  const people: Array<UserId> = []
  for (let n = 0; n < counts.users; n++) people.push((yield* users.insert(newUser(n))).id)
  const owners: Array<OwnerKey> = people.map((id) => ({ kind: "user", id }))
  const held: Array<Array<TeamId>> = []
  for (let n = 0; n < counts.organizations; n++) {
    const { id } = yield* organizations.insert(newOrganization(n))
    owners.push({ kind: "organization", id })
    const own: Array<TeamId> = []
    for (let t = 0; t < counts.teams / counts.organizations; t++) {
      const team = yield* teams.insert(newTeam(t, { id }, { units: { "repo.code": 2 } }))
      for (let m = 0; m < 20; m++) {
        yield* teams.addMember(team.id, people[(n * 200 + t * 20 + m) % people.length] as UserId)
      }
      own.push(team.id)
    }
    held.push(own)
  }
  for (let n = 0; n < counts.repositories; n++) {
    const organization = n % 2 === 0 ? (n / 2) % counts.organizations : undefined
    const owner = organization === undefined ? n % counts.users : counts.users + organization
    const facts = { name: `repository-${n}`, private: n % 3 === 0 }
    const { id } = yield* repositories.insert(newRepository(n, owners[owner] as OwnerKey, facts))
    const own = organization === undefined ? undefined : held[organization]
    const team = own?.[Math.floor(n / 2 / counts.organizations) % own.length]
    if (team !== undefined && n < counts.teams * 100 * 2) yield* teams.addRepository(team, id)
    if (n % 10 === 1)
      yield* repositories.setCollaborator(id, { userId: people[(n * 7) % people.length] as UserId, level: 2 })
  }
})

const asked = actionNames.filter((name: ActionName) => actions[name].on === "repository") as ReadonlyArray<LoadedAction>

/** Decides every action of users on repositories for some seconds of processor time. */
const decided = Effect.gen(function* () {
  let [loads, decisions, allowed, loading] = [0, 0, 0, 0]
  const start = process.cpuUsage()
  let spent = 0
  for (let n = 0; spent < seconds; n++) {
    const at = (n * 7919) % counts.repositories
    const owner = at % 2 === 0 ? `organization-${(at / 2) % counts.organizations}` : `user-${at % counts.users}`
    const about = { kind: "repository", owner, repository: `repository-${at}` } as const
    const before = process.cpuUsage()
    const entered = yield* Entry.actAs(`user-${(n * 104_729) % counts.users}`, about)
    const { system, user } = process.cpuUsage(before)
    loading += (system + user) / 1e6
    loads += 1
    for (const action of asked) {
      const answer = yield* Effect.result(Entry.authorize(action, entered as never))
      decisions += 1
      if (answer._tag === "Success") allowed += 1
    }
    const all = process.cpuUsage(start)
    spent = (all.user + all.system) / 1e6
  }
  return { loads, decisions, allowed, loading, spent }
})

const program = Effect.gen(function* () {
  const before = megabytes()
  const start = performance.now()
  yield* filled
  const filling = (performance.now() - start) / 1000
  const after = megabytes()
  print(
    `${number(counts.repositories)} repositories, ${number(counts.users)} users, ${number(counts.teams)} teams: filled in ${filling.toFixed(1)} s`
  )
  print(
    `the process holds ${number(after.held)} MB (${number(before.held)} MB before), ${number(after.resident)} MB resident`
  )
  const { allowed, decisions, loading, loads, spent } = yield* decided
  const rate = decisions / spent
  print(`${number(rate)} decisions per CPU second, ${number((100 * allowed) / decisions)} % of them allowed: all`)
  print(
    `${asked.length} actions for each of ${number(loads)} pairs of a resource and a user, loaded at ${number(loads / loading)} per second`
  )
  if (Math.max(after.held, after.resident) > most || rate < least) {
    printProgress(`the limits are at most ${most} MB and at least ${number(least)} decisions per second`)
    process.exitCode = 1
  }
})

await Effect.runPromise(Effect.scoped(Effect.provide(program, Layer.mergeAll(layer, testEnv()))))
