import { describe, expect, it } from "@effect/vitest"
import { type HookRequest, HookSender } from "@slipway/domain"
import type { Stores } from "@slipway/domain/forge"
import { workflowRuns, workflowSchedules } from "@slipway/domain/forge/automation"
import { NoticeStore } from "@slipway/domain/forge/background"
import { scheduleStart } from "@slipway/forge/automation"
import { Jobs } from "@slipway/forge/background"
import { HookWork } from "@slipway/forge/integrations"
import { Database } from "@slipway/sql"
import { layerStores, migrations } from "@slipway/sql/forge"
import { Effect, Layer } from "effect"
import { at, bob, workflowSite as site } from "../support/workflowSite.ts"

const postgres = () =>
  Layer.provide(
    layerStores,
    Layer.orDie(Database.layerInMemory({ schema: "forge", migrations }))
  ) as Layer.Layer<Stores>

const job = "jobs: { a: { runs-on: linux, steps: [{ run: x }] } }"

for (const [name, store] of [
  ["memory", undefined],
  ["PostgreSQL", postgres()]
] as const) {
  describe(`schedules of workflows in ${name}`, () => {
    it.live("create a failed run if they can never be due, and do not block other workflows", () =>
      Effect.gen(function* () {
        const { api, file, runs } = yield* site(store)
        yield* file(".forgejo/workflows/ci.yml", `on: push\n${job}`)
        yield* file(".forgejo/workflows/bad.yml", `on: { schedule: [{ cron: "0 5 31 2 *" }] }\n${job}`)
        yield* file(".forgejo/workflows/good.yml", `on: { schedule: [{ cron: "0 5 29 2 *" }] }\n${job}`)
        const failed = "bad.yml: on.schedule[0].cron: must name a day that exists: this schedule is never due"
        expect(
          (yield* runs).map(({ conclusion, title, workflow }) => [workflow, conclusion, title]).toReversed()
        ).toEqual([
          ["ci.yml", null, "Add .forgejo/workflows/ci.yml"],
          ["bad.yml", "failure", failed],
          ["ci.yml", null, "Add .forgejo/workflows/bad.yml"],
          ["bad.yml", "failure", failed],
          ["ci.yml", null, "Add .forgejo/workflows/good.yml"]
        ])
        const kept = yield* api.within(
          Effect.gen(function* () {
            return (yield* (yield* workflowSchedules.store).listEverywhere({ limit: 9 })).rows
          })
        )
        expect(kept.map(({ schedule, workflow }) => [workflow, schedule])).toEqual([["good.yml", "0 5 29 2 *"]])
      })
    )

    it.live("use the time zone that they name, and are rejected with an unknown time zone", () =>
      Effect.gen(function* () {
        const { api, file, runs } = yield* site(store)
        const schedule = (zone: string) =>
          `on: { schedule: [{ cron: "0 5 * * *", timezone: ${zone} }, { cron: "0 5 * * *" }] }\n${job}`
        yield* file(".forgejo/workflows/zones.yml", schedule("Asia/Tokyo"))
        const kept = api.within(
          Effect.gen(function* () {
            const { rows } = yield* (yield* workflowSchedules.store).listEverywhere({ limit: 9 })
            // The list is ordered by the next run, which depends on the time of day.
            return rows.map(({ dueAt, timezone }) => [timezone, dueAt.slice(11)]).toSorted()
          })
        )
        // Five in the morning in Tokyo is eight in the evening in UTC, all year.
        expect(yield* kept).toEqual([
          ["Asia/Tokyo", "20:00:00.000Z"],
          ["UTC", "05:00:00.000Z"]
        ])
        yield* file(".forgejo/workflows/odd.yml", schedule("Mars/Base"))
        expect((yield* runs).map(({ title }) => title)).toEqual([
          "odd.yml: on.schedule[0].timezone: must be an IANA time zone, such as `Europe/Berlin`"
        ])
      })
    )

    it.live("start runs even if one schedule fails, and the failed schedule is retried and reported as a notice", () =>
      Effect.gen(function* () {
        const { api, file, runs } = yield* site(store)
        yield* file(".forgejo/workflows/a.yml", `on: { workflow_dispatch: {} }\n${job}`)
        const change = (path: string, text: string) =>
          api.ask(201, "POST", `${at}/contents/.forgejo/workflows/${path}`, {
            ...bob,
            body: { content: Buffer.from(text).toString("base64"), message: `Add ${path}`, branch: "main" }
          })
        const brokenAt = (workflow: string) =>
          Effect.gen(function* () {
            const runStore = yield* workflowRuns.store
            return {
              ...runStore,
              insert: (row: Parameters<typeof runStore.insert>[0]) =>
                row.workflow === workflow ? Effect.die(new Error("broken")) : runStore.insert(row)
            }
          })
        const sender = { send: (_: HookRequest) => Effect.succeed({ status: 200, headers: {}, body: "" }) }
        const turn = Effect.andThen(Jobs.runDue, Effect.provideService(HookWork.runDue, HookSender, sender))
        const failing = Effect.provideServiceEffect(
          Effect.andThen(turn, Effect.andThen(turn, turn)),
          workflowRuns.store,
          brokenAt("b.yml")
        )
        yield* change("b.yml", `on: push\n${job}`)
        yield* api.within(failing)
        yield* change("c.yml", `on: { push: {}, schedule: [{ cron: "0 5 * * *" }] }\n${job}`)
        yield* change("d.yml", `on: { push: {}, schedule: [{ cron: "0 5 * * *" }] }\n${job}`)
        const shown = Effect.map(runs, (rows) => rows.map(({ event, workflow }) => `${workflow} ${event}`).toSorted())
        // Failing jobs back off: the first retries come after 2, 4 and 8 seconds.
        yield* api.within(failing)
        expect(yield* shown).toEqual(["c.yml push", "c.yml push", "d.yml push"])
        const noticed = api.within(
          Effect.gen(function* () {
            return (yield* (yield* NoticeStore).list({ page: 1, perPage: 9 })).rows.map(({ text }) => text)
          })
        )
        // Each retry comes later; the third failure creates a notice.
        const known = yield* Effect.andThen(api.within(failing), noticed).pipe(
          Effect.delay("250 millis"),
          Effect.repeat({ until: (texts) => texts.length > 0, times: 200 })
        )
        expect(known).toEqual(["starting workflows of repository 1 keeps failing; see the log of the service"])
        // A late retry of an older push does not delete the schedule of a newer one.
        yield* api.within(
          Effect.gen(function* () {
            const schedules = yield* workflowSchedules.store
            const { rows } = yield* schedules.listEverywhere({ limit: 9 })
            for (const { id, repositoryId } of rows) {
              yield* schedules.patch({ repositoryId }, id, { dueAt: "2026-01-01T05:00:00.000Z" })
            }
            yield* Effect.provideServiceEffect(scheduleStart.run, workflowRuns.store, brokenAt("c.yml"))
          })
        )
        expect(yield* shown).toEqual(["c.yml push", "c.yml push", "d.yml push", "d.yml schedule"])
        expect((yield* noticed)[0]).toBe(
          "starting scheduled workflow c.yml of repository 1 failed; see the log of the service"
        )
      })
    )
  })
}
