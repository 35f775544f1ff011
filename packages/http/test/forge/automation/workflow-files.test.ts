import { describe, expect, it } from "@effect/vitest"
import { WorkShares } from "@slipway/domain"
import { WorkflowReader } from "@slipway/domain/forge/automation"
import { GitReader } from "@slipway/domain/forge/code"
import { sharesOf } from "@slipway/domain/forge/identity"
import { Workflows } from "@slipway/forge/automation"
import { Jobs } from "@slipway/forge/background"
import { HookWork } from "@slipway/forge/integrations"
import { gitReader, gitWriter } from "@slipway/memory/forge"
import { Effect, Layer } from "effect"
import { start } from "../support/harness.ts"
import { at, bob, workflowSite as site } from "../support/workflowSite.ts"

const job = "jobs: { a: { runs-on: linux, steps: [{ run: x }] } }"

describe("the files of workflows", () => {
  it.live("are read once per blob id, even if they are malformed or too large (I25)", () =>
    Effect.gen(function* () {
      const { api, file, proof } = yield* site()
      yield* file(".forgejo/workflows/a.yml", `on: push\n${job}`)
      yield* file(".forgejo/workflows/b.yml", "on: [")
      yield* file(".forgejo/workflows/c.yml", `# ${"x".repeat(270_000)}\non: push\n${job}`)
      const given = yield* proof("repository.actions.workflow.list")
      const real = yield* api.within(Effect.service(WorkflowReader))
      const texts: Array<string> = []
      const counting = {
        read: (text: string) =>
          Effect.suspend(() => {
            texts.push(text)
            return Effect.delay(real.read(text), "20 millis")
          })
      }
      const listed = api.within(Effect.provideService(Workflows.list(given), WorkflowReader, counting))
      const all = yield* Effect.forEach(Array.from({ length: 30 }), () => listed, { concurrency: "unbounded" })
      for (const files of all) {
        expect(files.map(({ file: name, read }) => [name, read._tag === "Failure" ? read.failure : "read"])).toEqual([
          ["a.yml", "read"],
          ["b.yml", expect.stringContaining("Flow sequence")],
          ["c.yml", "the file has more than 256 KiB"]
        ])
      }
      expect(texts).toEqual([`on: push\n${job}`, "on: ["])
      // A file with other content is another blob.
      yield* api.ask(200, "PUT", `${at}/contents/.forgejo/workflows/b.yml`, {
        ...bob,
        body: {
          content: Buffer.from(`on: issues\n${job}`).toString("base64"),
          branch: "main",
          sha: (yield* api.ask(200, "GET", `${at}/contents/.forgejo/workflows/b.yml`, bob)).sha
        }
      })
      expect((yield* listed).map(({ read }) => read._tag)).toEqual(["Success", "Success", "Failure"])
      expect(texts.slice(2)).toEqual([`on: issues\n${job}`])
    })
  )

  it.live("are not parsed again for ten minutes after one file took the whole time budget", () =>
    Effect.gen(function* () {
      const { api, file, proof } = yield* site()
      yield* file(".forgejo/workflows/a.yml", `on: push\n${job}`)
      yield* file(".forgejo/workflows/b.yml", `on: issues\n${job}`)
      const given = yield* proof("repository.actions.workflow.list")
      const texts: Array<string> = []
      const slow = {
        read: (text: string) =>
          Effect.sync(() => {
            texts.push(text)
            return { because: "it takes too long to read", exhausting: true }
          })
      }
      const listed = Effect.map(
        api.within(Effect.provideService(Workflows.list(given), WorkflowReader, slow)),
        (files) => files.map(({ read }) => (read._tag === "Failure" ? read.failure : "read"))
      )
      const failures = ["it takes too long to read", "another workflow takes too long to read"]
      for (const _ of [1, 2]) expect(yield* listed).toEqual(failures)
      expect(texts).toEqual([`on: push\n${job}`])
    })
  )

  it.live("use the work budgets of the caller and the repository in a request, and of the repository in a push", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const noting = Layer.effect(
        GitReader,
        Effect.map(GitReader, (reader) => ({
          ...reader,
          entries: (...asked: Parameters<typeof reader.entries>) =>
            Effect.flatMap(Effect.service(WorkShares), (keys) => {
              seen.push(keys.join(" "))
              return reader.entries(...asked)
            })
        }))
      ).pipe(Layer.provide(gitReader))
      const api = yield* start({ objects: Layer.merge(noting, gitWriter) })
      yield* api.user("bob")
      const made = { name: "site", auto_init: true, default_branch: "main" }
      const { id, owner } = yield* api.ask(201, "POST", "/user/repos", { ...bob, body: made })
      yield* api.within(Jobs.runDue)
      seen.length = 0
      yield* api.ask(200, "GET", `${at}/actions/workflows`, bob)
      expect(new Set(seen)).toEqual(new Set([`caller:${owner.id} repository:${id}`]))
      yield* api.ask(201, "POST", `${at}/issues`, { ...bob, body: { title: "x" } })
      seen.length = 0
      yield* api.within(HookWork.runDue)
      yield* api.within(Jobs.runDue)
      expect(new Set(seen)).toEqual(new Set([`repository:${id}`]))
      expect(sharesOf({ actor: { userId: 7 as never, via: { kind: "token", address: "::1" } } })).toEqual(["caller:7"])
      expect(
        sharesOf({
          actor: { userId: undefined, via: { kind: "nothing", address: "192.0.2.1" } },
          repository: { id: 3 as never }
        })
      ).toEqual(["address:192.0.2.1", "repository:3"])
      const task = { jobId: 1, repositoryId: 3 as never, level: 1 } as const
      expect(sharesOf({ actor: { userId: 7 as never, task, via: { kind: "token", address: "" } } })).toEqual([
        "repository:3"
      ])
    })
  )
})
