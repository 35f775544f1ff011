import type { Placement } from "@slipway/domain/deploy/apps"
import { configurationOf, moment, plantPlace } from "@slipway/testkit/deploy"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { seededRandom } from "../support/numbers.ts"

const places = 20
const batch = 5_000
const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"

/**
 * Fills an empty database with applications that have one domain each, and returns their placements (project,
 * environment, server and destination).
 */
export const seed = Effect.fnUntraced(function* (total: number, progress: (done: number) => void) {
  const sql = yield* SqlClient
  const random = seededRandom(total)
  const below = (limit: number) => Math.floor(random() * limit)
  const makeUuid = () => Array.from({ length: 24 }, () => alphabet.charAt(below(alphabet.length))).join("")
  const placements: Array<Placement> = []
  for (let n = 1; n <= places; n++) placements.push((yield* plantPlace(n)).placement)
  const usual = configurationOf({ git_branch: "main", build_pack: "packer_a" })
  for (let done = 0; done < total; ) {
    const rows = Array.from({ length: Math.min(batch, total - done) }, (_, index) => {
      const n = done + index
      return {
        uuid: makeUuid(),
        placement: placements[below(places)] as Placement,
        domain: `app-${n}.seeded.example`,
        own: JSON.stringify({
          name: `application ${n}`,
          description: "about it ".repeat(below(50)),
          domains: `https://app-${n}.seeded.example`,
          git_repository: `https://forge.example/owner/repository-${n}`,
          custom_labels: "label=value\n".repeat(below(20))
        })
      }
    })
    yield* sql`
      INSERT INTO application (
        uuid, variant, environment_uuid, server_uuid, destination_uuid, configuration, secrets, created_at, updated_at
      )
      SELECT uuid, 'public', environment, server, destination, ${JSON.stringify(usual)}::jsonb || own::jsonb, '{}',
        ${moment(0)}::timestamptz, ${moment(0)}::timestamptz
      FROM unnest(
        ${rows.map((row) => row.uuid)}::text[],
        ${rows.map((row) => row.placement.environmentUuid)}::text[],
        ${rows.map((row) => row.placement.serverUuid)}::text[],
        ${rows.map((row) => row.placement.destinationUuid)}::text[],
        ${rows.map((row) => row.own)}::text[]
      ) AS seeded (uuid, environment, server, destination, own)`
    yield* sql`
      INSERT INTO domain_claim (domain_key, application_uuid)
      SELECT domain, uuid FROM unnest(
        ${rows.map((row) => row.domain)}::text[],
        ${rows.map((row) => row.uuid)}::text[]
      ) AS seeded (domain, uuid)`
    done += rows.length
    progress(done)
  }
  yield* sql`VACUUM ANALYZE`.unprepared
  return placements
})
