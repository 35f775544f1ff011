import { expect, it } from "@effect/vitest"
import type { OwnerName } from "@slipway/domain/forge/base"
import { RepositoryStore } from "@slipway/domain/forge/code"
import type { LoadedAction, Proof } from "@slipway/domain/forge/entry"
import { EmailAddress, type OrganizationId, type TeamName, TeamStore, UserStore } from "@slipway/domain/forge/identity"
import { Collaborators, RepositoryLists, RepositoryTeams } from "@slipway/forge/code"
import { Entry } from "@slipway/forge/entry"
import { AccessPreview, EffectiveAccesses, explainAccess } from "@slipway/forge/explanation"
import { AdminUsers, Audit, Teams } from "@slipway/forge/identity"
import { migrations } from "@slipway/sql/forge"
import { recordStatements } from "@slipway/sql/testing"
import {
  all,
  at,
  newRepository,
  newUser,
  organizationOwner,
  parseWorld,
  plantOrganizations,
  teamAt,
  testEnv
} from "@slipway/testkit/forge"
import { Effect, Layer } from "effect"
import { Base64 } from "effect/encoding"
import { NetAddress } from "effect/net"
import { SqlClient } from "effect/sql/SqlClient"
import { onOneEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

const address = NetAddress.ipFromStringUnsafe("192.0.2.1")
const password = "correct horse battery"

const world = parseWorld(`
  user ann admin
  user olga
  user bob
  organization acme private
  repository acme/site
  repository acme/vault private
  team acme/Owners: olga
  team acme/builders limited code=write on site: olga, bob
  team acme/readers code=read on *: bob
`)

const fixture = Effect.gen(function* () {
  for (const { admin, name } of world.users.values()) {
    yield* AdminUsers.create(Entry.system("admin.user.create"), {
      name: name as OwnerName,
      email: EmailAddress.make(`${name}@example.com`),
      password,
      mustChangePassword: false,
      admin
    })
  }
  yield* plantOrganizations(world)
  return (yield* teamAt("acme/Owners")).organizationId
})

const sent = { address, authorization: `Basic ${Base64.encode(`olga:${password}`)}` }

const may = <A extends LoadedAction>(action: A, about: Parameters<typeof Entry.enter>[1]) =>
  Effect.gen(function* () {
    const proof: Proof<A> = yield* Entry.authorize<A>(action, (yield* Entry.enter(sent, about)) as never)
    return proof
  })

/** Makes members, teams, and repositories of teams. */
const more = Effect.fnUntraced(function* (from: number, count: number, organization: OrganizationId) {
  const teams = yield* TeamStore
  const builders = yield* teamAt("acme/builders")
  const olga = yield* (yield* UserStore).named("olga")
  for (let n = from; n < from + count; n++) {
    const user = yield* (yield* UserStore).insert(newUser(n))
    yield* teams.addMember(builders.id, user.id)
    const repository = yield* (yield* RepositoryStore).insert(
      newRepository(n, organizationOwner({ id: organization }), { private: n % 2 === 0 })
    )
    yield* teams.addRepository(builders.id, repository.id)
    const { id: _, ...team } = builders
    const made = yield* teams.insert({ ...team, name: `team-${n}` })
    if (olga !== undefined) yield* teams.addMember(made.id, olga.user.id)
  }
})

const tables = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly name: string }>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name`
  return rows.map(({ name }) => name)
})

/** Reads every row of every table, as text. */
const everyRow = Effect.gen(function* () {
  const sql = yield* SqlClient
  const found: Record<string, ReadonlyArray<string>> = {}
  for (const table of yield* tables) {
    const rows = yield* sql<{ readonly row: string }>`
      SELECT (${sql.literal(`"${table}"`)})::text AS row FROM ${sql.literal(`"${table}"`)} ORDER BY 1`
    found[table] = rows.map(({ row }) => row)
  }
  return found
})

/** Returns how many rows an effect added to and removed from each table. */
const rowsOf = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const before = yield* everyRow
  const made = yield* effect
  const after = yield* everyRow
  const differing = Object.keys(after).flatMap((table) => {
    const kept = new Set(before[table])
    const added = (after[table] ?? []).filter((row) => !kept.has(row)).length
    const present = new Set(after[table])
    const gone = (before[table] ?? []).filter((row) => !present.has(row)).length
    return added + gone === 0 ? [] : [[table, { added, gone }] as const]
  })
  return { made, rows: Object.fromEntries(differing) }
})

onOneEngine((engine) => {
  const layer = Layer.mergeAll(layerEmptied(engine), testEnv())

  it.live(
    "a read of teams, repositories, reach or events takes at most five statements, whatever the number of rows",
    () =>
      Effect.gen(function* () {
        const organization = yield* fixture
        const { id } = yield* teamAt("acme/builders")
        const acme = { kind: "organization", organization: "acme" } as const
        const team = { kind: "team", id } as const
        const site = { owner: "acme", repository: "site" }
        const read = <A extends LoadedAction, B, E, R>(
          action: A,
          about: Parameters<typeof Entry.enter>[1],
          use: (proof: Proof<A>) => Effect.Effect<B, E, R>
        ) => Effect.flatMap(may(action, about), use)
        const reads = {
          list: read("organization.team.list", acme, (proof) => Teams.list(proof, all)),
          search: read("organization.team.search", acme, (proof) => Teams.search(proof, { text: "e" }, all)),
          own: read("account.team.list", { kind: "site" }, (proof) => Teams.listOwn(proof, all)),
          read: read("team.read", team, (proof) => Effect.succeed(Teams.read(proof))),
          members: read("team.member.list", team, (proof) => Teams.members(proof, all)),
          member: read("team.member.read", team, (proof) => Teams.member(proof, "bob")),
          repositories: read("team.repository.list", team, (proof) => Teams.repositories(proof, all)),
          repository: read("team.repository.read", { kind: "teamRepository", id, ...site }, Teams.repository),
          reaches: read("organization.member.access", acme, (proof) => EffectiveAccesses.ofUser(proof, "bob", all)),
          reachedBy: read("repository.access.list", { kind: "repository", ...site }, (proof) =>
            EffectiveAccesses.ofRepository(proof, all)
          ),
          ofOrganization: read("organization.repository.list", acme, (proof) =>
            RepositoryLists.ofOrganization(proof, all)
          ),
          ownRepositories: read("account.repository.list", { kind: "site" }, (proof) =>
            RepositoryLists.ofSelf(proof, all)
          ),
          found: read("repository.search", { kind: "site" }, (proof) =>
            RepositoryLists.search(proof, { text: "s" }, all)
          ),
          collaborators: read("repository.collaborator.list", { kind: "repository", ...site }, (proof) =>
            Collaborators.list(proof, all)
          ),
          permission: read(
            "repository.collaborator.permission",
            { kind: "repositoryUser", ...site, keys: { collaborator: "bob" } },
            (proof) => Collaborators.permission(proof, "bob")
          ),
          teams: read("repository.team.list", { kind: "repository", ...site }, (proof) =>
            RepositoryTeams.list(proof, all)
          ),
          audit: read("organization.audit.list", acme, (proof) => Audit.ofOrganization(proof, {}, all)),
          feed: read("organization.feed.list", acme, (proof) => Audit.organizationFeed(proof, {}, all)),
          teamFeed: read("team.feed.list", team, (proof) => Audit.teamFeed(proof, {}, all)),
          explained: read("access.explain", { kind: "site" }, (proof) =>
            explainAccess(proof, { user: "bob", action: "repository.edit", resource: "repo:acme/site" })
          )
        }
        const measured = (seconds: number) =>
          Effect.map(
            Effect.forEach(Object.entries(reads), ([name, each]) =>
              Effect.map(
                recordStatements(at(seconds)(each as Effect.Effect<unknown, unknown>)),
                ([, statements]) => [name, statements.length] as const
              )
            ),
            (counts): Readonly<Record<string, number>> => Object.fromEntries(counts)
          )
        yield* more(100, 1, organization)
        // The first sign-in per minute is recorded with one more statement.
        yield* measured(0)
        const few = yield* measured(10)
        expect(few).toEqual({
          list: 2,
          search: 2,
          own: 2,
          read: 1,
          members: 2,
          member: 4,
          repositories: 2,
          repository: 2,
          reaches: 4,
          reachedBy: 2,
          ofOrganization: 2,
          ownRepositories: 2,
          found: 2,
          collaborators: 2,
          permission: 4,
          teams: 3,
          audit: 2,
          feed: 2,
          teamFeed: 2,
          explained: 5
        })
        yield* more(200, 50, organization)
        expect(yield* measured(20)).toEqual(few)
        const { rows } = yield* read("organization.member.access", acme, (proof) =>
          EffectiveAccesses.ofUser(proof, "bob", all)
        )
        expect(rows.length).toBeGreaterThan(50)
      }).pipe(Effect.provide(layer))
  )

  it.live("a team that includes all repositories needs the same number of rows for any number of repositories", () =>
    Effect.gen(function* () {
      const organization = yield* fixture
      const acme = { kind: "organization", organization: "acme" } as const
      yield* may("organization.read", acme)
      const measure = Effect.fnUntraced(function* (name: string) {
        const create = Effect.flatMap(may("organization.team.create", acme), (proof) =>
          Teams.create(proof, {
            name: name as TeamName,
            permission: "write",
            units: ["repo.code"],
            includesAllRepositories: true
          })
        )
        const created = yield* rowsOf(create)
        const about = { kind: "team", id: created.made.id } as const
        const [added, statements] = yield* recordStatements(
          rowsOf(Effect.flatMap(may("team.member.add", about), (proof) => Teams.addMember(proof, "ann")))
        )
        const edited = yield* rowsOf(
          Effect.flatMap(may("team.edit", about), (proof) => Teams.edit(proof, { permission: "admin" }))
        )
        const removed = yield* rowsOf(Effect.flatMap(may("team.delete", about), Teams.remove))
        return {
          created: created.rows,
          added: added.rows,
          edited: edited.rows,
          removed: removed.rows,
          statements: statements.length
        }
      })
      const few = yield* measure("few")
      expect(few).toMatchObject({
        created: { team: { added: 1, gone: 0 } },
        added: { team_member: { added: 1, gone: 0 } },
        edited: { team: { added: 1, gone: 1 } },
        removed: { team: { added: 0, gone: 1 }, team_member: { added: 0, gone: 1 } }
      })
      // One row is the membership, and one the event.
      expect(Object.keys(few.added).sort()).toEqual(["event", "team_member"])
      yield* more(300, 30, organization)
      expect(yield* measure("many")).toEqual(few)
    }).pipe(Effect.provide(layer))
  )

  it.live("a preview changes no row of any table", () =>
    Effect.gen(function* () {
      yield* fixture
      const acme = { kind: "organization", organization: "acme" } as const
      yield* may("organization.read", acme)
      const { id } = yield* teamAt("acme/builders")
      const team = { kind: "team", id } as const
      const about = { kind: "teamRepository", id, owner: "acme", repository: "vault" } as const
      const previews = [
        Effect.flatMap(may("team.edit", team), (proof) =>
          AccessPreview.ofTeamEdit(proof, {}, Teams.edit(proof, { permission: "admin", name: "x" as TeamName }), all)
        ),
        Effect.flatMap(may("team.delete", team), (proof) =>
          AccessPreview.ofTeamDeletion(proof, Teams.remove(proof), all)
        ),
        Effect.flatMap(may("team.member.add", team), (proof) =>
          AccessPreview.ofNewMember(proof, "ann", Teams.addMember(proof, "ann"), all)
        ),
        Effect.flatMap(may("team.member.remove", team), (proof) =>
          AccessPreview.ofFormerMember(proof, "bob", Teams.removeMember(proof, "bob"), all)
        ),
        Effect.flatMap(may("team.repository.add", about), (proof) =>
          AccessPreview.ofTeamRepository(proof, Teams.addRepository(proof), all)
        )
      ]
      const before = yield* everyRow
      expect(Object.keys(before).length).toBeGreaterThan(15)
      for (const preview of previews) {
        const { total } = yield* preview
        expect(total).toBeGreaterThan(0)
        expect(yield* everyRow).toEqual(before)
      }
    }).pipe(Effect.provide(layer))
  )
}, migrations)
