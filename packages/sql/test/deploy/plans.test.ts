import { expect, it } from "@effect/vitest"
import { Applications } from "@slipway/deploy/apps"
import { systemOn } from "@slipway/deploy/entry"
import {
  ApplicationStore,
  DeploymentStore,
  DomainKey,
  DomainStore,
  PlacementStore,
  TagStore
} from "@slipway/domain/deploy/apps"
import { ApplicationUuid, DeploymentUuid } from "@slipway/domain/deploy/base"
import { system, visibleTo } from "@slipway/domain/deploy/entry"
import { ownerAccess, rootTeam, TeamId, TeamStore, TokenStore, TokenUuid } from "@slipway/domain/deploy/identity"
import { MetricStore, ServerStore, ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { migrations } from "@slipway/sql/deploy"
import { recordStatements } from "@slipway/sql/testing"
import { testLayer } from "@slipway/testkit"
import {
  configurationOf,
  newApplication,
  newDeployment,
  newTag,
  newTeam,
  newToken,
  plantWorld,
  targetOf
} from "@slipway/testkit/deploy"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { CurrentTransformer } from "effect/sql/Statement"
import { claimsStatement } from "../../src/deploy/apps/domains.ts"
import { factsStatement } from "../../src/deploy/apps/placement.ts"
import { onOneEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"
import { create, multiply } from "./support.ts"

interface Plan {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Plan Rows": number
  readonly "Actual Rows"?: number
  readonly "Actual Loops"?: number
  readonly Plans?: ReadonlyArray<Plan>
}

const nodesOf = (plan: Plan): ReadonlyArray<Plan> => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** Returns whether the cost of a plan step grows with the number of rows. */
const isSlow = (node: Plan): boolean => {
  switch (node["Node Type"]) {
    case "Seq Scan":
      // It has one row per thousand rows of the others.
      return node["Relation Name"] !== "row_count"
    case "Sort":
      return node["Plan Rows"] > 1_000
    default:
      return false
  }
}

/** Runs an effect and returns the plan steps of each of its statements. */
const plansOf = <A, E, R>(effect: Effect.Effect<A, E, R>, options = "") =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const statements: Array<readonly [string, ReadonlyArray<unknown>]> = []
    yield* Effect.provideService(effect, CurrentTransformer, (statement) => {
      statements.push(statement.compile())
      return Effect.succeed(statement)
    })
    expect(statements.length).toBeGreaterThan(0)
    return yield* Effect.forEach(statements, ([text, parameters]) =>
      Effect.map(
        sql.unsafe<{ readonly "QUERY PLAN": ReadonlyArray<{ readonly Plan: Plan }> }>(
          `EXPLAIN (${options}FORMAT JSON) ${text}`,
          parameters
        ),
        ([row]) => ({
          text,
          nodes: (row?.["QUERY PLAN"] ?? []).flatMap(({ Plan: plan }) => nodesOf(plan))
        })
      )
    )
  })

/** Runs an effect and returns the plan steps of its statements with a cost that grows with the rows. */
const slowSteps = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(plansOf(effect), (plans) => plans.map(({ nodes, text }) => ({ text, slow: nodes.filter(isSlow) })))

const rows = 10_000

const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  const world = yield* plantWorld()
  const application = yield* (yield* ApplicationStore).insert(
    newApplication(1, world.placement, { forgeAppUuid: world.forgeApp.uuid, privateKeyUuid: world.privateKey.uuid })
  )
  yield* multiply(rows)
  const tag = yield* (yield* TagStore).insert(newTag(1))
  const token = yield* (yield* TokenStore).insert(newToken(1))
  yield* (yield* DeploymentStore).insert(newDeployment(1, targetOf(1)))
  yield* sql`
    INSERT INTO tag (uuid, name, name_key, created_at, updated_at)
    SELECT 'copy' || n, 'copy ' || n, 'copy ' || n, now(), now() FROM generate_series(1, ${rows}) n`
  yield* sql`
    INSERT INTO application_tag (tag_id, application_id)
    SELECT ${tag.id}::bigint, id FROM application WHERE id % 10 = 0
    UNION SELECT tag.id, application.id FROM tag JOIN application ON tag.id = application.id`
  yield* sql`
    INSERT INTO token (uuid, name, abilities, hash, hash_key, created_at, updated_at)
    SELECT 'copy' || n, '', '[]', 'copy' || n, 'copy' || n, now(), now() FROM generate_series(1, ${rows}) n`
  yield* sql`
    INSERT INTO deployment (
      uuid, application_uuid, application_name, server_uuid, server_name, destination_uuid, commit_sha, status,
      created_at, updated_at
    )
    SELECT 'copy' || n, CASE WHEN n % 4 = 0 THEN 'busy' ELSE 'copy' || n END, '', '', '', '', '', 'queued', now(), now() FROM generate_series(1, ${rows}) n`
  yield* sql`
    INSERT INTO project (uuid, name, name_key, description, created_at, updated_at)
    SELECT 'copy' || n, 'copy' || n, 'copy' || n, '', now(), now() FROM generate_series(1, ${rows}) n`
  yield* sql`
    INSERT INTO environment (uuid, project_uuid, name, name_key, description, created_at, updated_at)
    SELECT 'copy' || n, 'copy' || n, 'production', 'production', '', now(), now() FROM generate_series(1, ${rows}) n`
  yield* sql`
    INSERT INTO server (
      uuid, name, description, ip, port, login, is_build_server, proxy_type, concurrent_builds, deployment_queue_limit,
      dynamic_timeout, connection_timeout, created_at, updated_at
    )
    SELECT 'copy' || n, '', '', '', 22, '', false, '', 1, 1, 1, 1, now(), now() FROM generate_series(1, ${rows}) n`
  yield* sql`
    INSERT INTO destination (uuid, server_uuid, name, network, network_key, created_at, updated_at)
    SELECT 'copy' || n, 'copy' || n, '', 'n', 'n', now(), now() FROM generate_series(1, ${rows}) n`
  yield* sql`
    INSERT INTO private_key (uuid, name, description, private_key, public_key, fingerprint, created_at, updated_at)
    SELECT 'copy' || n, '', '', '', '', '', now(), now() FROM generate_series(1, ${rows}) n`
  yield* sql`
    INSERT INTO forge_app (
      uuid, name, api_url, html_url, custom_user, custom_port, app_id, installation_id, client_id, client_secret,
      private_key_uuid, created_at, updated_at
    )
    SELECT 'copy' || n, '', '', '', '', 22, 1, 1, '', '', 'copy' || n, now(), now() FROM generate_series(1, ${rows}) n`
  yield* sql`
    INSERT INTO service (
      uuid, name, description, environment_uuid, server_uuid, destination_uuid, docker_compose_raw, urls,
      created_at, updated_at
    )
    SELECT 'copy' || n, '', '', 'copy' || n, 'copy' || n, 'copy' || n, '', '[]', now(), now()
    FROM generate_series(1, ${rows}) n`
  yield* sql`
    INSERT INTO database (
      uuid, kind, name, description, image, environment_uuid, server_uuid, destination_uuid, settings, secrets, limits,
      is_public, state, created_at, updated_at
    )
    SELECT 'copy' || n, 'redis', '', '', '', 'copy' || n, 'copy' || n, 'copy' || n, '{}', '{}', '{}',
      false, 'idle', now(), now()
    FROM generate_series(1, ${rows}) n`
  yield* sql`
    INSERT INTO database_tag (tag_id, database_id)
    SELECT tag.id, database.id FROM tag JOIN database ON tag.id = database.id`
  yield* sql`
    INSERT INTO metric_sample (server_uuid, at, memory_used, memory_total, received, sent)
    SELECT 'copy' || n % 100 + 1, now() - n * interval '1 minute', 1, 1, 1, 1 FROM generate_series(1, ${rows}) n`
  yield* sql`
    INSERT INTO additional_destination (application_uuid, copy_uuid, created_at)
    SELECT uuid, uuid, now() FROM application WHERE uuid LIKE 'copy%'`
  yield* sql`ANALYZE`
  return { ...world, application, tag, token }
})

onOneEngine((engine) => {
  const layer = Layer.mergeAll(layerEmptied(engine), testLayer)

  it.live(
    "no statement reads or sorts a whole table of many rows",
    () =>
      Effect.gen(function* () {
        const { application, forgeApp, placement, tag, token } = yield* fill
        const applications = yield* ApplicationStore
        const tags = yield* TagStore
        const deployments = yield* DeploymentStore
        const tokens = yield* TokenStore
        const domains = yield* DomainStore
        const page = { page: 3, perPage: 20 }
        const lookups: Readonly<Record<string, Effect.Effect<unknown, unknown, unknown>>> = {
          create: create(placement, {
            domains: "https://one.example, https://two.example",
            environment_name: placement.environmentName
          }),
          update: Applications.update(yield* systemOn("application.update", { uuid: application.uuid }), {
            domains: "https://three.example"
          }),
          find: applications.find(application.uuid),
          list: Applications.list(system("application.list"), page),
          "list, deep": applications.list({ skip: 7_000, limit: 20 }),
          "list, behind a row": applications.list({ after: 7_000, limit: 20 }),
          tagged: Applications.list(system("application.list"), page, { tag: tag.name }),
          "of a repository": Applications.list(system("application.list"), page, { repository: "acme/site" }),
          "of an address, with a tag": Applications.list(system("application.list"), page, {
            repository: "https://forge.example/acme/site.git",
            tag: tag.name
          }),
          "applications of forge apps": applications.ofForgeApps([forgeApp.uuid], { after: 7_000, limit: 20 }),
          claims: domains.claims([
            DomainKey.make(`${"copy".padEnd(21, "0")}123.example`),
            DomainKey.make("none.example")
          ]),
          "tags of an application": tags.ofApplication(application.uuid),
          "attach and detach": Effect.andThen(
            tags.attach(application.uuid, [tag.uuid]),
            tags.detach(application.uuid, tag.uuid)
          ),
          ensure: tags.ensure([newTag(2)]),
          "token by hash": tokens.findByHash(token.hash),
          touch: tokens.touch(TokenUuid.make(token.uuid, { disableChecks: true }), token.createdAt),
          "deployments of an application": deployments.ofApplication(
            ApplicationUuid.make("busy", { disableChecks: true }),
            { limit: 5 }
          ),
          "under way on servers": deployments.activeOn([targetOf(1).serverUuid, targetOf(2).serverUuid]),
          "expired approvals": deployments.expiredApprovals(token.createdAt),
          cancel: deployments.cancelAll(targetOf(1).applicationUuid, token.createdAt),
          deployment: deployments.find(DeploymentUuid.make("copy1", { disableChecks: true })),
          "server, by its uuid": Effect.flatMap(ServerStore, (store) => store.find(placement.serverUuid)),
          "build server of a small team": Effect.flatMap(ServerStore, (store) => store.findBuildServer(TeamId.make(7))),
          "newest samples": Effect.flatMap(MetricStore, (store) =>
            store.newestOf([placement.serverUuid, ServerUuid.make("copy1", { disableChecks: true })])
          ),
          remove: applications.remove(application.uuid)
        }
        for (const [name, lookup] of Object.entries(lookups)) {
          for (const { slow, text } of yield* slowSteps(lookup as Effect.Effect<unknown>)) {
            expect(slow, `${name}: ${text}`).toEqual([])
          }
        }
      }).pipe(Effect.provide(layer)),
    60_000
  )

  it.live("the total of deployments in a team reads the counter of each application, and no deployment of it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { placement } = yield* plantWorld()
      const deployments = yield* DeploymentStore
      // The total of an instance with only the root team is that of all rows.
      yield* (yield* TeamStore).insert(newTeam(1))
      const { uuid } = yield* (yield* ApplicationStore).insert(newApplication(1, placement))
      const target = { ...targetOf(1), applicationUuid: uuid, serverUuid: placement.serverUuid }
      yield* deployments.insert(newDeployment(1, target))
      yield* sql`
        INSERT INTO deployment (
          uuid, application_uuid, application_name, server_uuid, server_name, destination_uuid, commit_sha, status,
          created_at, updated_at
        )
        SELECT 'copy' || n, application_uuid, '', server_uuid, '', '', '', 'finished', now(), now()
        FROM deployment, generate_series(1, ${rows}) n`
      // The deployment of a deleted application is counted itself.
      yield* deployments.insert(newDeployment(2, { ...targetOf(2), serverUuid: placement.serverUuid }))
      yield* sql`ANALYZE`
      const caller = { tokenUuid: "t", abilities: ["read"], accountUuid: null, access: ownerAccess(rootTeam) } as const
      const count = deployments.countVisible(visibleTo(caller, "deployment.read"))
      // The first total finds out that the instance has other teams.
      yield* count
      const [total, statements] = yield* recordStatements(count)
      expect([total, statements.length]).toEqual([rows + 2, 1])
      const plans = yield* plansOf(count, "ANALYZE, ")
      const read = plans
        .flatMap(({ nodes }) => nodes)
        .filter((node) => node["Relation Name"] === "deployment")
        .map((node) => (node["Actual Rows"] ?? 0) * (node["Actual Loops"] ?? 0))
      expect(read).toEqual([1])
    }).pipe(Effect.provide(layer))
  )

  it.live("every foreign key has an index, so that deleting a row stays cheap", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      // Each foreign key, and whether an index starts with its column.
      const references = yield* sql<{ readonly reference: string; readonly indexed: boolean }>`
        SELECT
          conrelid::regclass || '.' || attname AS reference,
          EXISTS (SELECT FROM pg_index WHERE indrelid = conrelid AND indkey[0] = conkey[1]) AS indexed
        FROM pg_constraint
        JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
        WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
        ORDER BY 1`
      expect(references.length).toBeGreaterThan(15)
      expect(references.filter(({ indexed }) => !indexed)).toEqual([])
    }).pipe(Effect.provide(layer))
  )

  it.live("the facts of a placement load in one statement", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { destination, environment, forgeApp, privateKey, project, server } = yield* plantWorld()
      const query = {
        projectUuid: project.uuid,
        environmentName: environment.name.toUpperCase(),
        environmentUuid: environment.uuid,
        serverUuid: server.uuid,
        destinationUuid: destination.uuid,
        privateKeyUuid: privateKey.uuid,
        forgeAppUuid: forgeApp.uuid
      }
      const [text, parameters] = factsStatement(sql, query).compile()
      yield* Effect.promise(() => expect(text).toMatchFileSnapshot("./golden/facts.sql"))
      expect(parameters).toHaveLength(9)
      const { name, projectUuid, uuid } = environment
      const found = { uuid, projectUuid, name, isProtected: false, teamId: 0 }
      expect(yield* (yield* PlacementStore).facts(query)).toEqual({
        project: { uuid: project.uuid, teamId: 0 },
        environmentByName: found,
        environmentByUuid: found,
        server: {
          uuid: server.uuid,
          teamId: 0,
          name: server.name,
          ip: server.ip,
          wildcardDomain: server.wildcardDomain
        },
        destinations: [{ uuid: destination.uuid, serverUuid: server.uuid, teamId: 0, name: destination.name }],
        destination: { uuid: destination.uuid, serverUuid: server.uuid, teamId: 0, name: destination.name },
        privateKey: { uuid: privateKey.uuid, teamId: 0 },
        forgeApp: { uuid: forgeApp.uuid, teamId: 0 }
      })
    }).pipe(Effect.provide(layer))
  )

  it.live("the claims on domains load in one statement", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { placement } = yield* plantWorld()
      const key = DomainKey.make("one.example")
      const [text, parameters] = claimsStatement(sql, [key]).compile()
      yield* Effect.promise(() => expect(text).toMatchFileSnapshot("./golden/claims.sql"))
      expect(parameters).toEqual(["Slipway", [key]])
      const application = yield* (yield* ApplicationStore).insert(
        newApplication(1, placement, { configuration: configurationOf({ name: "first" }) })
      )
      const domains = yield* DomainStore
      yield* domains.replace({ type: "application", uuid: application.uuid }, [key])
      yield* domains.replace({ type: "instance", uuid: null }, [key])
      expect(yield* domains.claims([key, key])).toEqual([
        { key, holder: { type: "application", uuid: application.uuid }, holderName: "first" },
        { key, holder: { type: "instance", uuid: null }, holderName: "Slipway" }
      ])
    }).pipe(Effect.provide(layer))
  )
}, migrations)
