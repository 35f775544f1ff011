// Measures whether teams and lists of repositories stay fast with many repositories, on a separate PostgreSQL server.
// Exits with code 1 when they don't.

import type { LoadedAction, Proof, Target } from "@slipway/domain/forge/entry"
import type { TeamName } from "@slipway/domain/forge/identity"
import { Repositories, RepositoryLists } from "@slipway/forge/code"
import { Entry } from "@slipway/forge/entry"
import { AccessTokens, Organizations, Teams } from "@slipway/forge/identity"
import { Database } from "@slipway/sql"
import { layerStores, migrations } from "@slipway/sql/forge"
import { recordStatements, startPostgres } from "@slipway/sql/testing"
import { testEnv } from "@slipway/testkit/forge"
import { Effect, Layer, Redacted } from "effect"
import { NetAddress } from "effect/net"
import { median } from "./support/numbers.ts"
import { print, printProgress } from "./support/output.ts"
import { type Seeded, seed, sizes } from "./teams/seed.ts"

const samples = 300
const warmUps = 30
const page = { page: 1, perPage: 30 }
const address = NetAddress.ipFromStringUnsafe("192.0.2.1")

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const start = performance.now()
    const result = yield* effect
    return [result, performance.now() - start] as const
  })

/** Returns a function that authorizes an action for the credentials of a request. It loads the actor each time. */
const asking = (authorization: string | undefined) => {
  const sent = authorization === undefined ? { address } : { address, authorization }
  const may = <A extends LoadedAction>(action: A, about: Target) =>
    Effect.gen(function* () {
      const proof: Proof<A> = yield* Entry.authorize<A>(action, (yield* Entry.enter(sent, about)) as never)
      return proof
    })
  return { may }
}

const tokenOf = (name: string) =>
  Effect.map(
    AccessTokens.createFor(Entry.system("admin.user.edit"), name, { name: "bench", scopes: ["all"], expiresAt: null }),
    ({ plain }) => `Bearer ${Redacted.value(plain)}`
  )

const measurements = (seeded: Seeded, owner: string, ordinary: string) => {
  const { may } = asking(owner)
  const big = { kind: "organization", organization: `org-${seeded.big}` } as const
  const small = { kind: "organization", organization: `org-${seeded.small}` } as const
  let teams = 0
  const whole = () => ({
    name: `whole-${teams++}` as TeamName,
    permission: "write",
    units: ["repo.code"],
    includesAllRepositories: true
  })
  /**
   * Creates a team of all repositories, adds and removes a member, and deletes the team. Returns the duration of each
   * step.
   */
  const life = (organization: typeof big | typeof small) =>
    Effect.gen(function* () {
      const [team, creating] = yield* timed(
        Effect.flatMap(may("organization.team.create", organization), (proof) => Teams.create(proof, whole()))
      )
      const about = { kind: "team", id: team.id } as const
      const [, adding] = yield* timed(
        Effect.flatMap(may("team.member.add", about), (proof) => Teams.addMember(proof, seeded.joiningName))
      )
      const [, removing] = yield* timed(
        Effect.flatMap(may("team.member.remove", about), (proof) => Teams.removeMember(proof, seeded.joiningName))
      )
      const [, deleting] = yield* timed(Effect.flatMap(may("team.delete", about), Teams.remove))
      return { creating, adding, removing, deleting }
    })
  const joinBig = Effect.gen(function* () {
    const about = { kind: "team", id: seeded.allOfBig } as const
    const [, adding] = yield* timed(
      Effect.flatMap(may("team.member.add", about), (proof) => Teams.addMember(proof, seeded.joiningName))
    )
    yield* Effect.flatMap(may("team.member.remove", about), (proof) => Teams.removeMember(proof, seeded.joiningName))
    return adding
  })
  const search = (who: string | undefined, at = page) =>
    Effect.flatMap(asking(who).may("repository.search", { kind: "site" }), (proof) =>
      RepositoryLists.search(proof, {}, at)
    )
  const team = { kind: "team", id: seeded.allOfBig } as const
  const reads = {
    "repositories: anonymous": search(undefined),
    "repositories: a regular user": search(ordinary),
    "repositories, page 200: anonymous": search(undefined, { ...page, page: 200 }),
    "repositories, page 200: a regular user": search(ordinary, { ...page, page: 200 }),
    "repositories of the large organization": Effect.flatMap(
      asking(ordinary).may("organization.repository.list", big),
      (proof) => RepositoryLists.ofOrganization(proof, page)
    ),
    "repositories of the team of all": Effect.flatMap(may("team.repository.list", team), (proof) =>
      Teams.repositories(proof, page)
    ),
    "members of the team of all": Effect.flatMap(may("team.member.list", team), (proof) => Teams.members(proof, page)),
    "teams of the large organization": Effect.flatMap(may("organization.team.list", big), (proof) =>
      Teams.list(proof, page)
    ),
    "one organization": Effect.map(may("organization.read", big), Organizations.read),
    "one team": Effect.map(may("team.read", team), Teams.read),
    "one repository": Effect.map(
      may("repository.read", { kind: "repository", owner: `org-${seeded.big}`, repository: "repo-1" }),
      Repositories.read
    )
  }
  return { life, joinBig, reads, big, small }
}

const program = Effect.gen(function* () {
  const server = yield* startPostgres()
  const database = Database.layer(server, { schema: "forge", migrations, maxConnections: 2 })
  const context = yield* Layer.build(Layer.mergeAll(Layer.provideMerge(layerStores, database), testEnv()))
  yield* Effect.provide(
    Effect.gen(function* () {
      const seeded = yield* seed((what, done, of) => printProgress(`seeding: ${done} of ${of} ${what}`))
      const owner = yield* tokenOf(seeded.owner)
      const ordinary = yield* tokenOf(seeded.ordinary)
      const { big, joinBig, life, reads, small } = measurements(seeded, owner, ordinary)
      const times: Record<string, Array<number>> = {}
      const note = (name: string, milliseconds: number) => {
        times[name] ??= []
        times[name].push(milliseconds)
      }
      for (let sample = -warmUps; sample < samples; sample++) {
        if (sample % 50 === 0) printProgress(`measuring: ${sample} of ${samples} samples`)
        // In turns, so that other load affects all equally.
        const turns: ReadonlyArray<readonly [string, typeof big | typeof small]> = [
          ["small", small],
          ["big", big]
        ]
        for (const [size, organization] of sample % 2 === 0 ? turns : turns.toReversed()) {
          const parts = yield* life(organization)
          if (sample < 0) continue
          for (const [part, milliseconds] of Object.entries(parts)) note(`${part} ${size}`, milliseconds)
        }
        const joined = yield* joinBig
        if (sample >= 0) note("adding to the team of all", joined)
        for (const [name, read] of Object.entries(reads)) {
          const [, milliseconds] = yield* timed(read as Effect.Effect<unknown, unknown>)
          if (sample >= 0) note(name, milliseconds)
        }
      }
      const at = (name: string) => median(times[name] ?? [])
      const ratio = (name: string, of: string) => at(name) / at(of)
      const wanted = [
        ...(["creating", "adding", "removing", "deleting"] as const).map((part) => ({
          name: `${part === "adding" || part === "removing" ? `${part} a member` : `${part} a team of all`}`,
          base: at(`${part} small`),
          value: at(`${part} big`),
          most: 1.5
        })),
        {
          name: "adding a member to the seeded team of all",
          base: at("adding small"),
          value: at("adding to the team of all"),
          most: 1.5
        },
        {
          name: "list of repositories, a regular user against an anonymous caller",
          base: at("repositories: anonymous"),
          value: at("repositories: a regular user"),
          most: 2
        }
      ]
      print(`| median of ${samples} | small, or anonymous | large, or a user | ratio | at most |`)
      print("|---|---:|---:|---:|---:|")
      for (const { base, most, name, value } of wanted) {
        print(`| ${name} | ${base.toFixed(2)} ms | ${value.toFixed(2)} ms | ${(value / base).toFixed(2)} | ${most} |`)
      }
      print("")
      print("| read | median | statements |")
      print("|---|---:|---:|")
      let tooMany = false
      for (const [name, read] of Object.entries(reads)) {
        const [, statements] = yield* recordStatements(read as Effect.Effect<unknown, unknown>)
        tooMany ||= statements.length > 5
        print(`| ${name} | ${at(name).toFixed(2)} ms | ${statements.length} |`)
      }
      const deep = ratio("repositories, page 200: a regular user", "repositories, page 200: anonymous")
      print("")
      print(
        `On page 200 the list takes ${deep.toFixed(2)} times as long for a regular user as for an anonymous caller.`
      )
      if (tooMany || wanted.some(({ base, most, value }) => !(value / base <= most))) {
        printProgress(`with ${sizes.repositories} repositories a list exceeds its time limit`)
        process.exitCode = 1
      }
    }) as Effect.Effect<void, unknown, never>,
    context as never
  )
})

await Effect.runPromise(Effect.scoped(program))
