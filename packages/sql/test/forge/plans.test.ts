import { expect, it } from "@effect/vitest"
import { RepositoryStore } from "@slipway/domain/forge/code"
import type { CallerKey, FactsQuery, LoadedKind } from "@slipway/domain/forge/entry"
import { OrganizationStore, TeamStore, UserStore } from "@slipway/domain/forge/identity"
import { migrations } from "@slipway/sql/forge"
import { newOrganization, newRepository, newTeam, newUser, organizationOwner } from "@slipway/testkit/forge"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { loadStatements } from "../../src/forge/entry/facts/statement.ts"
import { onOneEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

interface Plan {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly Plans?: ReadonlyArray<Plan>
}

const scans = (plan: Plan): ReadonlyArray<string> => [
  ...(plan["Node Type"] === "Seq Scan" ? [plan["Relation Name"] ?? ""] : []),
  ...(plan.Plans ?? []).flatMap(scans)
]

const callers: ReadonlyArray<CallerKey> = [
  { _tag: "Nobody" },
  { _tag: "TokenHash", hash: "ab" },
  { _tag: "Name", name: "user-7" },
  { _tag: "SignInName", name: "user-7", failureKeys: ["account:user-7", "address:192.0.2.1"] }
]

/** Makes thousands of copies of one row of each table. */
const many = Effect.gen(function* () {
  const sql = yield* SqlClient
  const user = yield* (yield* UserStore).insert(newUser(1))
  const organization = yield* (yield* OrganizationStore).insert(newOrganization(1))
  const team = yield* (yield* TeamStore).insert(newTeam(1, organization))
  const repository = yield* (yield* RepositoryStore).insert(newRepository(1, organizationOwner(organization)))
  const columns = (table: string, skip: string) =>
    Effect.map(
      sql`
        SELECT string_agg(quote_ident(column_name), ', ')::text AS columns FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name = ${table} AND is_generated = 'NEVER'
          AND column_name <> ALL(string_to_array(${skip}, ','))`,
      ([row]) => sql.literal(String(row?.columns))
    )
  const ofAccounts = yield* columns("account", "id,name,name_key")
  yield* sql`
    INSERT INTO account (id, name, name_key, ${ofAccounts})
    SELECT 100 + n, 'many-' || n, 'many-' || n, ${ofAccounts} FROM account, generate_series(1, 5000) n
    WHERE account.id = ${user.id}`
  yield* sql`INSERT INTO owner_name SELECT name_key, id, true FROM account WHERE id > 100`
  const ofOrganizations = yield* columns("organization", "id,name,name_key")
  yield* sql`
    INSERT INTO organization (id, name, name_key, ${ofOrganizations})
    SELECT 10000 + n, 'org-' || n, 'org-' || n, ${ofOrganizations} FROM organization, generate_series(1, 3000) n
    WHERE organization.id = ${organization.id}`
  yield* sql`INSERT INTO owner_name SELECT name_key, NULL, true, id FROM organization WHERE id > 10000`
  const ofTeams = yield* columns("team", "id,name,name_key,organization_id")
  yield* sql`
    INSERT INTO team (name, name_key, organization_id, ${ofTeams})
    SELECT 'team-' || n, 'team-' || n, 10001 + n % 3000, ${ofTeams} FROM team, generate_series(1, 6000) n
    WHERE team.id = ${team.id}`
  yield* sql`
    INSERT INTO team_member (team_id, organization_id, user_id)
    SELECT DISTINCT team.id, team.organization_id, 101 + (team.id * 7 + n * 131) % 5000
    FROM team, generate_series(1, 3) n`
  const ofRepositories = yield* columns("repository", "id,name,name_key,organization_id")
  yield* sql`
    INSERT INTO repository (name, name_key, organization_id, ${ofRepositories})
    SELECT 'many-' || n, 'many-' || n, 10001 + n % 3000, ${ofRepositories} FROM repository, generate_series(1, 6000) n
    WHERE repository.id = ${repository.id}`
  yield* sql`
    INSERT INTO repository_name (owner_id, name_key, repository_id, current)
    SELECT owner_id, name_key, id, true FROM repository WHERE id <> ${repository.id}`
  yield* sql`
    INSERT INTO team_repository SELECT team.id, repository.id
    FROM team JOIN repository ON repository.organization_id = team.organization_id`
  yield* sql`INSERT INTO collaborator SELECT id, 101 + (id * 13) % 5000, 1 + id % 3 FROM repository`
  yield* sql`
    INSERT INTO email (user_id, address, address_key, verified, primary_of)
    SELECT id, name || '@example.org', name_key || '@example.org', true, id FROM account WHERE id > 100`
  yield* sql`
    INSERT INTO access_token (user_id, kind, origin, name, name_key, hash, scopes, last_eight, created_at)
    SELECT id, 'personal', '{}', 'token', 'token', 'hash ' || id, '["all"]', 'abcdefgh', now() FROM account`
  yield* sql`
    INSERT INTO block (blocker, blocked, note)
    SELECT 10001 + n % 3000, 101 + (n * 17) % 5000, '' FROM generate_series(1, 6000) n ON CONFLICT DO NOTHING`
  yield* sql`INSERT INTO second_factor SELECT id, 'sealed', true, 0 FROM account`
  yield* sql`INSERT INTO sign_in_failure SELECT 'account:' || name_key, 1, now() FROM account`
  yield* sql`ANALYZE`
})

const abouts: ReadonlyArray<FactsQuery<LoadedKind>["about"]> = [
  { kind: "site" },
  { kind: "user", name: "user-3" },
  { kind: "organization", organization: "org-7" },
  { kind: "organizationUser", organization: "org-7", name: "user-3" },
  { kind: "team", id: 7, named: "user-3" },
  { kind: "teamRepository", id: 7, owner: "org-7", repository: "many-7" },
  { kind: "repository", owner: "org-7", repository: "many-7" },
  { kind: "repository", id: 7, named: "user-3" },
  { kind: "packageOwner", owner: "org-7" }
]

onOneEngine((engine) => {
  it.live("authentication uses index lookups only, whatever the number of users and resources", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* many
      for (const caller of callers) {
        for (const sudo of [undefined, "user-9"]) {
          for (const about of abouts) {
            const query = { caller, sudo, about } as FactsQuery<"site">
            const [explained] = yield* sql<{ readonly "QUERY PLAN": ReadonlyArray<{ readonly Plan: Plan }> }>`
              EXPLAIN (FORMAT JSON) ${loadStatements(sql)(query)}`
            const plan = explained?.["QUERY PLAN"][0]?.Plan
            expect([caller._tag, sudo, about.kind, plan === undefined ? "no plan" : scans(plan)]).toEqual([
              caller._tag,
              sudo,
              about.kind,
              []
            ])
          }
        }
      }
    }).pipe(Effect.provide(layerEmptied(engine)))
  )
}, migrations)
