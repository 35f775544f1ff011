import { Services } from "@slipway/deploy/apps"
import { system } from "@slipway/domain/deploy/entry"
import { Database } from "@slipway/sql"
import { layerStores, migrations } from "@slipway/sql/deploy"
import { pagesRead } from "@slipway/sql/testing"
import { testLayer } from "@slipway/testkit"
import { moment, plantPlace } from "@slipway/testkit/deploy"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { filledDatabase, type ServerAddress } from "../support/databases.ts"

const perPage = 30

/** Fills an empty database with services in one environment. */
const seedServices = Effect.fnUntraced(function* (total: number) {
  const sql = yield* SqlClient
  const { placement } = yield* plantPlace(1)
  yield* sql`
    INSERT INTO service (
      uuid, name, description, environment_uuid, server_uuid, destination_uuid, docker_compose_raw, urls, template,
      connects_to_network, parts, created_at, updated_at
    )
    SELECT 'service' || lpad(n::text, 17, '0'), 'service ' || n, repeat('about it ', n::integer % 50),
      ${placement.environmentUuid}, ${placement.serverUuid}, ${placement.destinationUuid},
      'services: { web: { image: registry.example/shop } }', '[]', NULL, false, '[]',
      ${moment(0)}::timestamptz, ${moment(0)}::timestamptz
    FROM generate_series(1, ${total}) AS n`
  yield* sql`VACUUM ANALYZE`.unprepared
})

const layerDeploy = (address: ServerAddress) =>
  Layer.merge(
    Layer.provideMerge(layerStores, Database.layer(address, { schema: "deploy", migrations, maxConnections: 1 })),
    testLayer
  )

/**
 * Lists a page of services in a new database with `total` services. Returns the database pages read and the duration in
 * milliseconds.
 */
export const measuredServices = (server: ServerAddress, total: number) =>
  Effect.gen(function* () {
    const { address } = yield* filledDatabase(server, `services_${total}`, "lists", (empty) =>
      Effect.as(Effect.provide(seedServices(total), layerDeploy(empty)), "")
    )
    const context = yield* Layer.build(layerDeploy(address))
    const list = Services.list(system("service.list"), { page: 1, perPage })
    return yield* Effect.provide(
      Effect.gen(function* () {
        const { rows } = yield* list
        if (rows.length !== Math.min(perPage, total))
          return yield* Effect.die(new Error(`the page has ${rows.length} services`))
        const start = performance.now()
        yield* list
        const milliseconds = performance.now() - start
        const [, pages] = yield* pagesRead(list)
        return { pages, milliseconds }
      }),
      context
    )
  }).pipe(Effect.scoped)
