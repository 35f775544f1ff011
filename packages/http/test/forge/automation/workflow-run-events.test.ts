import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { stores } from "../support/stores.ts"
import { ann, at, bob, workflowSite } from "../support/workflowSite.ts"

const jobs = "jobs: { a: { runs-on: linux, steps: [{ run: make }] } }"
const after = (name: string, other: string, more = "types: [completed]") =>
  `name: ${name}\non: { workflow_run: { workflows: [${other}], ${more} } }\n${jobs}`

for (const [kind, store] of stores) {
  describe(`workflow_run workflows in ${kind}`, () => {
    it.live("run from the default branch, contain the triggering run, and stop after three levels (I25)", () =>
      Effect.gen(function* () {
        const { api, end, fetch, file, runner, runs, settle } = yield* workflowSite(store)
        const by = yield* runner()
        const chain = [
          ["B", "A"],
          ["C", "B"],
          ["D", "C"],
          ["E", "D"]
        ] as const
        for (const [name, other] of chain) yield* file(`.forgejo/workflows/${name}.yml`, after(name, other))
        yield* file(".forgejo/workflows/all.yml", after("All", "A", "branches: [side]"))
        yield* file(".forgejo/workflows/none.yml", after("None", "A", "branches-ignore: [side]"))
        yield* file(".forgejo/workflows/a.yml", `name: A\non: { push: { branches: [side] } }\n${jobs}`)
        expect(yield* runs).toEqual([])
        yield* file("x.md", "x", { new_branch: "side" })
        const names = Effect.map(runs, (rows) => rows.map(({ depth, name }) => `${name} ${depth}`).toSorted())
        expect(yield* names).toEqual(["A 0", "All 1"])
        const step = Effect.gen(function* () {
          const task = yield* fetch(by)
          if (task !== undefined) yield* end(by, task.id, 1)
          yield* settle
          return task
        })
        yield* step
        expect(yield* names).toEqual(["A 0", "All 1", "All 1", "All 1", "B 1"])
        const run = (yield* runs).find(({ name }) => name === "B")
        expect(run).toMatchObject({ event: "workflow_run", ref: "refs/heads/main", title: "Add x.md" })
        const contexts: Array<Record<string, unknown>> = []
        for (let task = yield* step; task !== undefined; task = yield* step) contexts.push(task.context)
        expect(yield* names).toEqual(["A 0", "All 1", "All 1", "All 1", "B 1", "C 2", "D 3"])
        expect(contexts.find(({ workflow }) => workflow === "B")).toMatchObject({
          event_name: "workflow_run",
          ref: "refs/heads/main",
          actor: "bob",
          event: {
            action: "completed",
            workflow_run: { name: "A", conclusion: "success", head_branch: "side", event: "push", status: "completed" }
          }
        })
        expect((yield* api.ask(200, "GET", `${at}/actions/runs?event=workflow_run`, bob)).total_count).toBe(6)
      })
    )

    it.live("I21: wait for the approval of an external contributor's run, and run none of its code", () =>
      Effect.gen(function* () {
        const { api, end, fetch, file, runner, runs, settle } = yield* workflowSite(store)
        const by = yield* runner()
        yield* api.ask(201, "PUT", `${at}/actions/secrets/KEY`, { ...bob, body: { data: "s3cret" } })
        yield* file(".forgejo/workflows/b.yml", after("B", "A", "types: [requested, completed]"))
        yield* file(".forgejo/workflows/main.yml", after("Main", "A", "branches: [main]"))
        yield* file(".forgejo/workflows/a.yml", `name: A\non: pull_request\n${jobs}`)
        yield* api.ask(202, "POST", `${at}/forks`, { ...ann, body: { name: "copy" } })
        yield* settle
        yield* file("x.md", "x", { branch: "main" }, ann, "/repos/ann/copy")
        yield* api.ask(201, "POST", `${at}/pulls`, { ...ann, body: { title: "x", head: "ann:main", base: "main" } })
        yield* settle
        const names = Effect.map(runs, (rows) => rows.map(({ name }) => name).join(" "))
        expect(yield* names).toBe("A")
        const [pull] = yield* runs
        yield* api.ask(204, "POST", `${at}/actions/runs/${pull?.id}/approve`, bob)
        yield* settle
        // The fork's branch is also called `main`, but it is not the default branch.
        expect(yield* names).toBe("B A")
        const theirs = yield* fetch(by)
        expect(Object.keys(theirs?.secrets ?? {})).not.toContain("KEY")
        yield* end(by, theirs?.id ?? 0, 1)
        yield* settle
        expect(yield* names).toBe("B B A")
        const own = yield* fetch(by)
        expect(own?.secrets).toMatchObject({ KEY: "s3cret" })
        expect(own?.context).toMatchObject({
          ref: "refs/heads/main",
          event: { workflow_run: { event: "pull_request" } }
        })
        // A run that is closed before its approval triggers nothing either.
        yield* file("y.md", "y", { branch: "main" }, ann, "/repos/ann/copy")
        yield* api.ask(201, "PATCH", `${at}/pulls/1`, { ...ann, body: { state: "closed" } })
        yield* settle
        expect(yield* names).toBe("A B B A")
        // Nor does a run that is invalid because of text from an external contributor.
        const told = `name: A\non: pull_request\nconcurrency: "\${{ fromJSON(github.event.pull_request.title) }}"\n${jobs}`
        const { sha } = yield* api.ask(200, "GET", `${at}/contents/.forgejo/workflows/a.yml`, bob)
        const changed = { content: Buffer.from(told).toString("base64"), sha }
        yield* api.ask(200, "PUT", `${at}/contents/.forgejo/workflows/a.yml`, { ...bob, body: changed })
        yield* settle
        yield* api.ask(201, "POST", `${at}/pulls`, { ...ann, body: { title: "[", head: "ann:main", base: "main" } })
        yield* settle
        expect((yield* runs)[0]).toMatchObject({ event: "pull_request", status: "done", conclusion: "failure" })
        expect(yield* names).toBe("A A B B A")
      })
    )
  })
}

describe("workflow_run workflows", () => {
  it.live("are limited to ten for each state of a run (I25)", () =>
    Effect.gen(function* () {
      const { file, runs } = yield* workflowSite()
      for (let n = 0; n < 11; n++)
        yield* file(`.forgejo/workflows/b${n}.yml`, after(`B${n}`, "A", "types: [requested]"))
      yield* file(".forgejo/workflows/a.yml", `name: A\non: { push: { branches: [side] } }\n${jobs}`)
      yield* file("x.md", "x", { new_branch: "side" })
      expect((yield* runs).length).toBe(11)
    })
  )
})
