import { createHash } from "node:crypto"
import { runtimeToken, type WorkflowJob, type WorkflowRun } from "@slipway/domain/forge/automation"
import { BlobStore } from "@slipway/domain/forge/base"
import { RepositoryStore } from "@slipway/domain/forge/code"
import { JobTokens } from "@slipway/forge/identity"
import { newJobsOf, newRunOf } from "@slipway/testkit/forge"
import { Effect, Stream } from "effect"
import { expect } from "vitest"
import { basic, bearer, type Chosen, referenceUrl, rootUrl, type Service, start } from "./harness.ts"

export const as = (name: string) => ({ headers: basic(name) })
export const ann = as("ann")
export const service = "/twirp/github.actions.results.api.v1.ArtifactService"
export const actions = "/repos/ann/site/actions"
export const missing = { message: "The target couldn't be found.", url: referenceUrl }

/** The first bytes of a zip file, with padding. */
export const zip = "PK\u0003\u0004 and more bytes"

export const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

/** Starts a run of a repository with one running job, and returns the job with its token. */
export const jobIn = Effect.fnUntraced(function* (
  api: Service,
  name: string,
  of?: WorkflowRun,
  facts: Partial<WorkflowJob> = {}
) {
  const [owner = "", repository = ""] = name.split("/")
  return yield* api.within(
    Effect.gen(function* () {
      const found = yield* (yield* RepositoryStore).named(owner, repository)
      if (found === undefined) return yield* Effect.die(new Error(`there is no ${name}`))
      const run = of ?? (yield* newRunOf(found.repository))
      const [job] = yield* newJobsOf(run, { status: "running", ...facts })
      if (job === undefined) return yield* Effect.die(new Error("no job was made"))
      const token = yield* JobTokens.mint({ jobId: job.id, repositoryId: run.repositoryId, level: 1 })
      const ids = { workflow_run_backend_id: String(run.id), workflow_job_run_backend_id: String(job.id) }
      return { ids, job, run, runtime: runtimeToken({ runId: run.id, jobId: job.id, token }), token }
    }).pipe(Effect.orDie)
  )
})

export type Job = Effect.Success<ReturnType<typeof jobIn>>

export const siteIn = Effect.fnUntraced(function* (store: Chosen["store"], chosen: Chosen = {}) {
  const api: Service = yield* start(store === undefined ? chosen : { ...chosen, store })
  for (const name of ["ann", "bob"]) yield* api.user(name)
  for (const name of ["site", "other"]) yield* api.ask(201, "POST", "/user/repos", { ...ann, body: { name } })
  return { api, job: yield* jobIn(api, "ann/site") }
})

/** Calls a method of the service as a job does. */
export const call = (api: Service, job: Job, method: string, body: object) =>
  Effect.map(
    api.fetch("POST", `${service}/${method}`, { headers: bearer(job.runtime), body: { ...job.ids, ...body } }),
    ({ json, status }) => ({ status, json })
  )

export const pathOf = (address: string): string => address.slice(rootUrl.length)

export const put = (api: Service, address: string, raw: string, query = "") =>
  Effect.map(api.fetch("PUT", `${pathOf(address)}${query}`, { raw }), ({ status }) => status)

export const begin = (api: Service, job: Job, name: string, more: object = {}) =>
  Effect.map(
    call(api, job, "CreateArtifact", { name, version: 4, ...more }),
    ({ json }) => json.signed_upload_url as string
  )

/** Uploads an artifact in two parts, the second one first, and returns the response of its finalization. */
export const uploaded = Effect.fnUntraced(function* (
  api: Service,
  job: Job,
  name: string,
  text: string,
  more: object = {}
) {
  const address = yield* begin(api, job, name, more)
  const [one, other] = [btoa("block-1+/"), btoa("block-2+/")]
  const at = (id: string) => `&comp=block&blockid=${encodeURIComponent(id)}`
  expect(yield* put(api, address, text.slice(3), at(other))).toBe(201)
  expect(yield* put(api, address, text.slice(0, 3), at(one))).toBe(201)
  const list = `<?xml version="1.0" encoding="utf-8"?><BlockList><Latest>${one}</Latest><Latest>${other}</Latest></BlockList>`
  expect(yield* put(api, address, list, "&comp=blocklist")).toBe(201)
  return yield* call(api, job, "FinalizeArtifact", {
    name,
    size: String(text.length),
    hash: `sha256:${sha256(text)}`
  })
})

export const blobsOf = (api: Service) =>
  api.within(
    Effect.flatMap(BlobStore, (blobs) => Effect.map(Stream.runCollect(blobs.list("artifacts")), (all) => all.length))
  )
