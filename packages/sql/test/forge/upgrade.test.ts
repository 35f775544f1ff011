import { PgTypes } from "@effect/sql-pg"
import { expect, it } from "@effect/vitest"
import { JobStore, type Lane } from "@slipway/domain/forge/background"
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

  it.live("jobs with the former names of types, fields and lanes run after the upgrade", () =>
    Effect.gen(function* () {
      const address = yield* testDatabase
      const before = migrations.findIndex(({ name }) => name === "0076_job_names")
      const receivers = [{ userId: 1, because: "subscribed", personal: false }]
      const email = { repositoryId: 1, what: "published", actorId: null, at, until: at, receivers }
      const release = { repositoryId: 1, releaseId: 2, actorId: null, at, after: 0 }
      const works = [
        { _tag: "SendNews", about: { _tag: "Release", releaseId: 2 }, ...email },
        { _tag: "TellRelease", ...release },
        { _tag: "StartRuns", repositoryId: 1, news: { id: 3 } },
        { _tag: "SendMail", id: "a", sealed: "b" }
      ]
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        for (const work of works) yield* sql`INSERT INTO job (work, due_at) VALUES (${PgTypes.jsonb(work)}, ${at})`
      }).pipe(Effect.provide(Database.layer(address, { schema: "forge", migrations: migrations.slice(0, before) })))
      yield* Effect.gen(function* () {
        const jobs = yield* JobStore
        const take = (lane: Lane) =>
          Effect.map(jobs.take({ dueBy: at, lane }, "2030-01-01T00:00:00.000Z"), (job) => job?.work)
        expect(yield* take("notifications")).toEqual({
          _tag: "SendNotificationEmails",
          about: { _tag: "Release", releaseId: 2 },
          ...email
        })
        expect(yield* take("notifications")).toBeUndefined()
        expect(yield* take("work")).toEqual({ _tag: "NotifyRelease", ...release })
        expect(yield* take("work")).toEqual({ _tag: "StartRuns", repositoryId: 1, event: { id: 3 } })
        expect(yield* take("mail")).toEqual({ _tag: "SendMail", id: "a", sealed: "b" })
      }).pipe(Effect.provide(Layer.provideMerge(layerStores, Database.layer(address, { schema: "forge", migrations }))))
    })
  )
})
