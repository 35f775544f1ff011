import { describe, expect, it } from "@effect/vitest"
import { type WorkflowJob, type WorkflowRun, workflowLogs } from "@slipway/domain/forge/automation"
import { type ObjectId, RepositoryStore } from "@slipway/domain/forge/code"
import { UserStore } from "@slipway/domain/forge/identity"
import { JobTokens } from "@slipway/forge/identity"
import { newJobsOf, newRunOf } from "@slipway/testkit/forge"
import { Effect } from "effect"
import { basic, bearer, type Chosen, referenceUrl, rootUrl, type Service, start } from "../support/harness.ts"
import { stores } from "../support/stores.ts"

const as = (name: string) => ({ headers: basic(name) })
const ann = as("ann")
const actions = "/repos/ann/site/actions"
const missing = { message: "The target couldn't be found.", url: referenceUrl }

type Facts = Partial<WorkflowRun> & { readonly by?: string }

/** Stores a run of a repository with its jobs. */
const runIn = Effect.fnUntraced(function* (
  api: Service,
  name: string,
  { by, ...facts }: Facts = {},
  ...jobs: ReadonlyArray<Partial<WorkflowJob>>
) {
  const [owner = "", repository = ""] = name.split("/")
  return yield* api.within(
    Effect.gen(function* () {
      const found = yield* (yield* RepositoryStore).named(owner, repository)
      if (found === undefined) return yield* Effect.die(new Error(`there is no ${name}`))
      const user = by === undefined ? undefined : yield* (yield* UserStore).named(by)
      const run = yield* newRunOf(found.repository, { ...facts, actorId: user?.user.id ?? null })
      return { run, jobs: yield* newJobsOf(run, ...jobs) }
    }).pipe(Effect.orDie)
  )
})

const siteIn = Effect.fnUntraced(function* (store: Chosen["store"]) {
  const api: Service = yield* start(store === undefined ? {} : { store })
  for (const name of ["ann", "bob", "boss"]) yield* api.user(name, { admin: name === "boss" })
  for (const name of ["site", "other"]) yield* api.ask(201, "POST", "/user/repos", { ...ann, body: { name } })
  return api
})

/** Lists the titles of runs, or the names of jobs, with their total. */
const listed = (api: Service, path: string, who: object = ann) =>
  Effect.map(api.ask(200, "GET", path, who), ({ jobs, total_count, workflow_runs }) => [
    workflow_runs === undefined
      ? jobs.map(({ name }: { name: string }) => name).join(" ")
      : workflow_runs.map((row: Record<string, string>) => row.display_title).join(" "),
    total_count
  ])

for (const [kind, store] of stores) {
  describe(`runs of workflows in ${kind}`, () => {
    it.live("are returned with their jobs, steps and users", () =>
      Effect.gen(function* () {
        const api = yield* siteIn(store)
        const began = "2026-03-01T10:00:00.123Z"
        const ended = "2026-03-01T10:05:00.123Z"
        const facts = { status: "done", conclusion: "failure", startedAt: began, stoppedAt: ended } as const
        const step = { name: "Build", ...facts, logIndex: 0, logLength: 2 }
        const job = { ...facts, name: "build", runnerId: 7, runnerName: "box", steps: [step] }
        const { jobs, run } = yield* runIn(api, "ann/site", { ...facts, by: "bob", title: "Fix it" }, job)
        const url = `${rootUrl}/api/v1${actions}/runs/${run.id}`
        const shown = yield* api.ask(200, "GET", `${actions}/runs/${run.id}`, ann)
        expect(shown).toMatchObject({
          id: run.id,
          url,
          html_url: `${rootUrl}/ann/site/actions/runs/${run.id}`,
          display_title: "Fix it",
          path: ".github/workflows/ci.yml@refs/heads/main",
          event: "push",
          run_number: 1,
          run_attempt: 1,
          status: "completed",
          conclusion: "failure",
          head_branch: "main",
          head_sha: "1".repeat(40),
          started_at: "2026-03-01T10:00:00Z",
          completed_at: "2026-03-01T10:05:00Z",
          actor: { login: "bob" },
          trigger_actor: { login: "bob" },
          repository: { full_name: "ann/site" },
          head_repository: { full_name: "ann/site" }
        })
        expect(shown.repository_id).toBe(shown.repository.id)
        expect((yield* api.ask(200, "GET", `${actions}/runs`, ann)).workflow_runs).toEqual([shown])
        const [made] = jobs
        const shownJob = {
          id: made?.id,
          url: `${rootUrl}/api/v1${actions}/jobs/${made?.id}`,
          html_url: `${rootUrl}/ann/site/actions/runs/${run.id}/jobs/${made?.id}`,
          run_id: run.id,
          run_url: url,
          run_attempt: 1,
          name: "build",
          labels: ["linux"],
          head_branch: "main",
          head_sha: "1".repeat(40),
          status: "completed",
          conclusion: "failure",
          created_at: expect.any(String),
          started_at: "2026-03-01T10:00:00Z",
          completed_at: "2026-03-01T10:05:00Z",
          runner_id: 7,
          runner_name: "box",
          steps: [
            {
              name: "Build",
              number: 1,
              status: "completed",
              conclusion: "failure",
              started_at: "2026-03-01T10:00:00Z",
              completed_at: "2026-03-01T10:05:00Z"
            }
          ]
        }
        expect(yield* api.ask(200, "GET", `${actions}/jobs/${made?.id}`, ann)).toEqual(shownJob)
        expect(yield* api.ask(200, "GET", `${actions}/runs/${run.id}/jobs`, ann)).toEqual({
          total_count: 1,
          jobs: [shownJob]
        })
        expect(yield* api.ask(200, "GET", `${actions}/tasks`, ann)).toEqual({
          total_count: 1,
          workflow_runs: [
            {
              id: made?.id,
              name: "build",
              head_branch: "main",
              head_sha: "1".repeat(40),
              run_number: 1,
              event: "push",
              display_title: "Fix it",
              status: "failure",
              workflow_id: "ci.yml",
              url: shownJob.url,
              created_at: expect.any(String),
              updated_at: "2026-03-01T10:05:00Z",
              run_started_at: "2026-03-01T10:00:00Z"
            }
          ]
        })
        // A deleted user is returned as Ghost.
        yield* api.ask(204, "DELETE", "/admin/users/bob", as("boss"))
        expect((yield* api.ask(200, "GET", `${actions}/runs/${run.id}`, ann)).actor).toMatchObject({ login: "Ghost" })
      })
    )

    it.live("are filtered by trigger and state", () =>
      Effect.gen(function* () {
        const api = yield* siteIn(store)
        const commit = "ab".repeat(20) as ObjectId
        const make = (title: string, facts: Facts & Pick<WorkflowRun, "conclusion" | "status">) =>
          runIn(
            api,
            "ann/site",
            { title, ...facts },
            { name: title, status: facts.status, conclusion: facts.conclusion }
          )
        yield* make("queued", { status: "waiting", conclusion: null })
        yield* make("held", { status: "blocked", conclusion: null, workflow: "deploy.yml" })
        yield* make("works", { status: "running", conclusion: null, by: "bob" })
        yield* make("good", { status: "done", conclusion: "success", ref: "refs/heads/next" })
        yield* make("bad", { status: "done", conclusion: "failure", event: "issues", commit })
        yield* make("stopped", { status: "done", conclusion: "cancelled", ref: "refs/tags/v1" })
        yield* make("left", { status: "done", conclusion: "skipped" })
        const runs = (query: string) => listed(api, `${actions}/runs?${query}`)
        expect(yield* runs("")).toEqual(["left stopped bad good works held queued", 7])
        expect(yield* runs("limit=2&page=2")).toEqual(["bad good", 7])
        const words = {
          queued: "queued",
          waiting: "held",
          in_progress: "works",
          completed: "left stopped bad good",
          success: "good",
          failure: "bad",
          cancelled: "stopped",
          skipped: "left"
        }
        for (const [word, titles] of Object.entries(words)) {
          const many = titles.split(" ").length
          expect([word, ...(yield* runs(`status=${word}`))]).toEqual([word, titles, many])
          expect([word, ...(yield* listed(api, `${actions}/jobs?status=${word}`))]).toEqual([word, titles, many])
        }
        expect(yield* runs("status=success&status=in_progress")).toEqual(["good works", 2])
        yield* api.ask(422, "GET", `${actions}/runs?status=odd`, ann)
        expect(yield* runs("branch=next")).toEqual(["good", 1])
        expect(yield* runs("branch=refs/tags/v1")).toEqual(["stopped", 1])
        expect(yield* runs("event=issues")).toEqual(["bad", 1])
        expect(yield* runs(`head_sha=${commit.toUpperCase()}`)).toEqual(["bad", 1])
        expect(yield* runs("actor=BOB")).toEqual(["works", 1])
        expect(yield* runs("actor=nobody")).toEqual(["", 0])
        expect(yield* runs("actor=bob&event=issues")).toEqual(["", 0])
        expect(yield* listed(api, `${actions}/workflows/deploy.yml/runs`)).toEqual(["held", 1])
        expect(yield* listed(api, `${actions}/workflows/ci.yml/runs?status=queued`)).toEqual(["queued", 1])
        expect(yield* listed(api, `${actions}/tasks`)).toEqual(["stopped bad good works", 4])
        const answer = yield* api.send("GET", `${actions}/runs?limit=3`, ann)
        expect(answer.headers.get("x-total-count")).toBe("7")
        expect(answer.headers.get("link")).toContain(`limit=3&page=2>; rel="next"`)
      })
    )

    it.live("are found by number only in their own repository, by callers who can read its actions", () =>
      Effect.gen(function* () {
        const api = yield* siteIn(store)
        const { jobs, run } = yield* runIn(api, "ann/site", {}, { name: "secret" })
        const { run: foreign } = yield* runIn(api, "ann/other", {}, {})
        const id = jobs[0]?.id
        const paths = [
          `/runs/${run.id}`,
          `/runs/${run.id}/jobs`,
          `/runs/${run.id}/artifacts`,
          `/runs/${run.id}/attempts/1`,
          `/runs/${run.id}/attempts/1/jobs`,
          `/jobs/${id}`,
          `/jobs/${id}/logs`
        ]
        for (const path of paths) {
          expect((yield* api.send("GET", `${actions}${path}`, ann)).status).toBe(200)
          // The title is public text.
          expect((yield* api.send("GET", `${actions}${path}`)).status).toBe(200)
          expect(yield* api.ask(404, "GET", `/repos/ann/other/actions${path}`, ann)).toEqual(missing)
        }
        yield* api.ask(404, "GET", `${actions}/runs/${foreign.id}/jobs`, ann)
        for (const odd of ["0", "x", "-1", "9".repeat(30), "1.5"]) {
          yield* api.ask(404, "GET", `${actions}/runs/${odd}`, ann)
          yield* api.ask(404, "GET", `${actions}/jobs/${odd}/logs`, ann)
          yield* api.ask(404, "GET", `${actions}/runs/${run.id}/attempts/${odd}`, ann)
        }
        yield* api.ask(200, "PATCH", "/repos/ann/site", { ...ann, body: { private: true } })
        for (const path of [...paths, "/runs", "/jobs", "/tasks", "/artifacts", "/workflows/ci.yml/runs"]) {
          expect([path, yield* api.ask(404, "GET", `${actions}${path}`, as("bob"))]).toEqual([path, missing])
        }
      })
    )

    it.live("are listed for an organization in the repositories with actions that the member can read (I10)", () =>
      Effect.gen(function* () {
        const api = yield* siteIn(store)
        yield* api.ask(201, "POST", "/orgs", { ...ann, body: { username: "acme" } })
        for (const name of ["open", "closed"]) {
          const body = { name, private: name === "closed" }
          yield* api.ask(201, "POST", "/orgs/acme/repos", { ...ann, body })
        }
        const titles = ["acme/open", "acme/closed", "ann/site"]
        for (const title of titles) yield* runIn(api, title, { title }, { name: `job-of-${title}` })
        const team = yield* api.ask(201, "POST", "/orgs/acme/teams", {
          ...ann,
          body: { name: "guests", permission: "read", units: ["repo.code"], includes_all_repositories: false }
        })
        yield* api.ask(204, "PUT", `/teams/${team.id}/members/bob`, ann)
        const of = (who: object, thing = "runs") => listed(api, `/orgs/acme/actions/${thing}`, who)
        expect(yield* of(ann)).toEqual(["acme/closed acme/open", 2])
        expect(yield* of(ann, "jobs")).toEqual(["job-of-acme/closed job-of-acme/open", 2])
        expect(yield* of(ann, "runs?branch=main&status=queued&limit=1")).toEqual(["acme/closed", 2])
        expect(yield* of(as("bob"))).toEqual(["acme/open", 1])
        expect(yield* of(as("bob"), "jobs")).toEqual(["job-of-acme/open", 1])
        expect(yield* of(as("boss"))).toEqual(["acme/closed acme/open", 2])
        yield* api.user("carl")
        for (const thing of ["runs", "jobs"]) {
          yield* api.ask(401, "GET", `/orgs/acme/actions/${thing}`)
          yield* api.ask(403, "GET", `/orgs/acme/actions/${thing}`, as("carl"))
          yield* api.ask(404, "GET", `/orgs/none/actions/${thing}`, ann)
        }
        yield* api.ask(200, "PATCH", "/orgs/acme", { ...ann, body: { visibility: "private" } })
        yield* api.ask(404, "GET", "/orgs/acme/actions/runs", as("carl"))
      })
    )

    it.live("are listed for the caller and the site in the repositories with actions that the caller can read", () =>
      Effect.gen(function* () {
        const api = yield* siteIn(store)
        yield* api.ask(201, "POST", "/user/repos", { ...as("bob"), body: { name: "own", private: true } })
        const titles = ["ann/site", "ann/other", "bob/own"]
        for (const title of titles) yield* runIn(api, title, { title }, { name: `job-of-${title}` })
        const own = (who: string, thing = "runs") => listed(api, `/user/actions/${thing}`, as(who))
        expect(yield* own("ann")).toEqual(["ann/other ann/site", 2])
        expect(yield* own("ann", "jobs")).toEqual(["job-of-ann/other job-of-ann/site", 2])
        expect(yield* own("bob")).toEqual(["bob/own", 1])
        expect(yield* own("boss")).toEqual(["", 0])
        const all = (thing: string, who: object = as("boss")) => listed(api, `/admin/actions/${thing}`, who)
        expect(yield* all("runs")).toEqual(["bob/own ann/other ann/site", 3])
        expect(yield* all("runs?branch=main&status=queued")).toEqual(["bob/own ann/other ann/site", 3])
        expect(yield* all("jobs?limit=1")).toEqual(["job-of-bob/own", 3])
        yield* api.ask(403, "GET", "/admin/actions/runs", ann)
        yield* api.ask(401, "GET", "/user/actions/runs")
        // Runs that are unreadable in their repository are neither listed nor counted (CVE-2026-57897).
        yield* api.ask(200, "PATCH", "/repos/ann/other", { ...ann, body: { has_actions: false } })
        expect(yield* own("ann")).toEqual(["ann/site", 1])
        expect(yield* own("ann", "jobs")).toEqual(["job-of-ann/site", 1])
        expect(yield* all("runs")).toEqual(["bob/own ann/site", 2])
        expect(yield* all("jobs")).toEqual(["job-of-bob/own job-of-ann/site", 2])
        // A token without a repository scope reads no runs.
        for (const [who, scope] of [
          ["boss", "read:admin"],
          ["ann", "read:user"]
        ] as const) {
          const path = who === "boss" ? "/admin/actions" : "/user/actions"
          const narrow = { headers: bearer(yield* api.mint(who, [scope])) }
          expect(yield* listed(api, `${path}/runs`, narrow)).toEqual(["", 0])
          expect(yield* listed(api, `${path}/jobs`, narrow)).toEqual(["", 0])
          const wide = { headers: bearer(yield* api.mint(who, [scope, "read:repository"])) }
          expect((yield* listed(api, `${path}/runs`, wide))[1]).toBe(who === "boss" ? 2 : 1)
        }
        // They follow their repository to another owner.
        yield* api.ask(200, "PATCH", "/repos/ann/other", { ...ann, body: { has_actions: true } })
        yield* api.ask(202, "POST", "/repos/ann/other/transfer", { ...ann, body: { new_owner: "bob" } })
        yield* api.ask(202, "POST", "/repos/ann/other/transfer/accept", as("bob"))
        expect(yield* own("ann")).toEqual(["ann/site", 1])
        expect(yield* own("bob")).toEqual(["bob/own ann/other", 2])
        expect(yield* own("bob", "jobs")).toEqual(["job-of-bob/own job-of-ann/other", 2])
      })
    )

    it.live("have the jobs of each attempt, and the last attempt of a job decides its conclusion", () =>
      Effect.gen(function* () {
        const api = yield* siteIn(store)
        const done = (conclusion: "failure" | "success", minute: string) =>
          ({
            status: "done",
            conclusion,
            startedAt: `2026-03-01T10:${minute}:00.000Z`,
            stoppedAt: `2026-03-01T10:${minute}:30.000Z`
          }) as const
        const { run } = yield* runIn(
          api,
          "ann/site",
          { attempt: 2, ...done("success", "20") },
          { name: "lint", slot: 0, ...done("success", "10") },
          { name: "test", slot: 1, latest: false, ...done("failure", "11") },
          { name: "test", slot: 1, attempt: 2, ...done("success", "20") }
        )
        const path = `${actions}/runs/${run.id}`
        const jobsOf = (at: string) =>
          Effect.map(api.ask(200, "GET", at, ann), ({ jobs, total_count }) => [
            jobs.map((job: Record<string, string>) => `${job.name} ${job.run_attempt} ${job.conclusion}`).join(", "),
            total_count
          ])
        expect(yield* jobsOf(`${path}/jobs`)).toEqual(["lint 1 success, test 2 success", 2])
        expect(yield* jobsOf(`${path}/attempts/2/jobs`)).toEqual(["lint 1 success, test 2 success", 2])
        expect(yield* jobsOf(`${path}/attempts/1/jobs`)).toEqual(["lint 1 success, test 1 failure", 2])
        expect(yield* jobsOf(`${path}/attempts/1/jobs?status=failure`)).toEqual(["test 1 failure", 1])
        expect(yield* jobsOf(`${path}/attempts/1/jobs?limit=1&page=2`)).toEqual(["test 1 failure", 2])
        expect(yield* api.ask(200, "GET", path, ann)).toMatchObject({ run_attempt: 2, conclusion: "success" })
        expect(yield* api.ask(200, "GET", `${path}/attempts/2`, ann)).toMatchObject({ conclusion: "success" })
        expect(yield* api.ask(200, "GET", `${path}/attempts/1`, ann)).toMatchObject({
          run_attempt: 1,
          status: "completed",
          conclusion: "failure",
          started_at: "2026-03-01T10:10:00Z",
          completed_at: "2026-03-01T10:11:30Z"
        })
        yield* api.ask(404, "GET", `${path}/attempts/3`, ann)
        yield* api.ask(404, "GET", `${path}/attempts/3/jobs`, ann)
      })
    )

    it.live("have jobs with logs in plain text", () =>
      Effect.gen(function* () {
        const api = yield* siteIn(store)
        const { jobs } = yield* runIn(api, "ann/site", {}, { name: "build" }, { name: "silent" })
        const [job, silent] = jobs
        const pieces = Array.from({ length: 40 }, (_, at) => `2026-03-01T10:00:00.000Z line ${at} ü\n`)
        yield* api.within(
          Effect.gen(function* () {
            if (job === undefined) return
            const rows = pieces.map((text, start) => ({ jobId: job.id, start, lines: 1, text }))
            yield* (yield* workflowLogs.store).insertMany(rows)
          }).pipe(Effect.orDie)
        )
        const got = yield* api.send("GET", `${actions}/jobs/${job?.id}/logs`, ann)
        expect([got.status, got.text]).toEqual([200, pieces.join("")])
        expect(got.headers.get("content-type")).toBe("text/plain; charset=utf-8")
        expect(got.headers.get("content-disposition")).toContain(`job-${job?.id}.log`)
        expect(got.headers.get("x-content-type-options")).toBe("nosniff")
        const empty = yield* api.send("GET", `${actions}/jobs/${silent?.id}/logs`, ann)
        expect([empty.status, empty.text]).toEqual([200, ""])
      })
    )

    it.live("are read with a job's token only in its own repository", () =>
      Effect.gen(function* () {
        const api = yield* siteIn(store)
        for (const name of ["site", "other"]) {
          yield* api.ask(200, "PATCH", `/repos/ann/${name}`, { ...ann, body: { private: true } })
        }
        const { jobs, run } = yield* runIn(api, "ann/site", {}, { status: "running" })
        const { run: foreign } = yield* runIn(api, "ann/other", {}, {})
        const id = jobs[0]?.id ?? 0
        const token = yield* api.within(
          Effect.orDie(JobTokens.mint({ jobId: id, repositoryId: run.repositoryId, level: 1 }))
        )
        const job = { headers: bearer(token) }
        yield* api.ask(200, "GET", `${actions}/runs/${run.id}`, job)
        expect(yield* listed(api, `${actions}/runs`, job)).toEqual(["Change a word", 1])
        yield* api.ask(404, "GET", `/repos/ann/other/actions/runs/${foreign.id}`, job)
        expect(yield* listed(api, "/user/actions/runs", job)).toEqual(["", 0])
        yield* api.ask(403, "GET", "/admin/actions/jobs", job)
      })
    )
  })
}
