import { expect, it } from "@effect/vitest"
import { RepositoryStore } from "@slipway/domain/forge/code"
import { EventStore } from "@slipway/domain/forge/events"
import { type UserId, UserStore } from "@slipway/domain/forge/identity"
import { Database, migrate } from "@slipway/sql"
import { layerStores, migrations } from "@slipway/sql/forge"
import { testDatabase } from "@slipway/sql/testing"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { onServer } from "../support/engines.ts"

const at = "2026-01-02T03:04:05.000Z"

/** Writes a user, a repository and an event in an old schema, from the tenth migration on. */
const plant = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient
  yield* sql`
    WITH made AS (
      INSERT INTO account (
        name, name_key, full_name, full_name_key, description, website, location, language, theme, diff_view_style,
        hide_email, hide_activity, visibility, active, admin, restricted, prohibited, must_change_password,
        may_create_organizations, may_edit_git_hooks, may_import_local, max_repositories, login_name, source_id,
        created_at, updated_at
      ) VALUES (
        ${name}, ${name}, '', '', '', '', '', '', '', '', false, false, 'public', true, false, false, false, false,
        true, false, false, -1, '', 0, ${at}, ${at}
      ) RETURNING id
    ), named AS (
      INSERT INTO owner_name (name_key, user_id, current) SELECT ${name}, id, true FROM made
    ), addressed AS (
      INSERT INTO email (user_id, address, address_key, verified, is_primary)
      SELECT id, ${`${name}@example.com`}, ${`${name}@example.com`}, true, true FROM made
    ), kept AS (
      INSERT INTO repository (
        user_id, name, name_key, description, website, private, archived, mirror, template, empty, default_branch,
        units, size, created_at, updated_at
      ) SELECT id, 'site', 'site', 'kept', '', false, false, false, false, true, 'main', 1, 0, ${at}, ${at} FROM made
      RETURNING id
    )
    INSERT INTO event (at, action, outcome, actor_id, actor_name, actor_key, credential, address, subject_kind,
      subject_id, subject_name, repository_id, details)
    SELECT ${at}, 'account.repository.create', 'done', made.id, ${name}, ${name}, 'password', '', 'repository',
      kept.id, 'site', kept.id, '{}' FROM made, kept`
})

onServer("a database of an earlier version", () => {
  it.live("rows of every tenth migration stay usable after the upgrade", () =>
    Effect.gen(function* () {
      const earlier = (count: number) => migrate("forge", migrations.slice(0, count))
      const address = yield* testDatabase
      yield* Effect.gen(function* () {
        for (const [count, name] of [
          [10, "ann"],
          [20, "bob"],
          [30, "cat"]
        ] as const) {
          yield* earlier(count)
          yield* plant(name)
        }
      }).pipe(Effect.provide(Database.layer(address, { schema: "forge", migrations: migrations.slice(0, 1) })))
      yield* Effect.gen(function* () {
        const [users, repositories] = [yield* UserStore, yield* RepositoryStore]
        for (const [index, name] of ["ann", "bob", "cat"].entries()) {
          const user = yield* users.find((index + 1) as UserId)
          expect([user?.name, user?.email]).toEqual([name, `${name}@example.com`])
          const repository = yield* repositories.find((index + 1) as never)
          expect([repository?.owner.name, repository?.name, repository?.description]).toEqual([name, "site", "kept"])
        }
        const { rows, total } = yield* (yield* EventStore).audit({}, { page: 1, perPage: 10 })
        expect([total, rows.map(({ actor }) => actor?.name)]).toEqual([3, ["cat", "bob", "ann"]])
      }).pipe(Effect.provide(Layer.provideMerge(layerStores, Database.layer(address, { schema: "forge", migrations }))))
    })
  )
})
