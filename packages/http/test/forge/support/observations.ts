import { type HookRequest, HookSender } from "@slipway/domain"
import { Jobs } from "@slipway/forge/background"
import { HookWork } from "@slipway/forge/integrations"
import { Ajv } from "ajv"
import addFormats from "ajv-formats"
import { Effect } from "effect"
import { expect } from "vitest"
import known from "../known-types.json" with { type: "json" }
import { basic, start } from "./harness.ts"

export const bob = { headers: basic("bob") }
export const ann = { headers: basic("ann") }
export const at = "/repos/bob/site"

export type Json = Readonly<Record<string, unknown>>

/** Fields that exist only while issues or wiki pages are internal, or external. */
const optional = [
  "Repository.external_tracker",
  "Repository.external_wiki",
  "Repository.internal_tracker",
  // Only workflows of the default branch exist.
  "ActionWorkflow.deleted_at"
]

/** Fields that Gitea sends as null when they are missing, though its description doesn't say so. */
const nullable = [
  "PullRequest.merge_commit_sha",
  "ActionWorkflowRun.conclusion",
  "ActionWorkflowJob.conclusion",
  "ActionWorkflowStep.conclusion"
]

const typed = (type: string): Json => {
  if (type.endsWith("[]")) return { type: ["array", "null"], items: typed(type.slice(0, -2)) }
  if (type === "date-time") return { type: ["string", "null"], format: "date-time" }
  if (type in known) return { anyOf: [{ $ref: `#/definitions/${type}` }, { type: "null" }] }
  return { type }
}

const shape = (name: string, fields: Readonly<Record<string, string>>): Json => ({
  type: "object",
  properties: Object.fromEntries(
    Object.entries(fields).map(([field, type]) => [
      field,
      nullable.includes(`${name}.${field}`) ? { anyOf: [typed(type), { type: "null" }] } : typed(type)
    ])
  ),
  required: Object.keys(fields).filter((field) => !optional.includes(`${name}.${field}`))
})

const definitions = Object.fromEntries(
  Object.entries(known).map(([name, text]) => {
    const fields = text.split(" ").map((field) => field.split(":") as [string, string])
    return [name, shape(name, Object.fromEntries(fields))]
  })
)

const issue = { action: "string", number: "integer", commit_id: "string", issue: "Issue" }
const pull = {
  action: "string",
  number: "integer",
  commit_id: "string",
  pull_request: "PullRequest",
  requested_reviewer: "User"
}
const comment = { action: "string", issue: "Issue", comment: "Comment", is_pull: "boolean" }

/** The objects of a document that may be null: all others must be present. */
const nullableParts = [
  "push.head_commit",
  "pull.requested_reviewer",
  "pull_request_review.requested_reviewer",
  "pull_request.requested_reviewer",
  "package.organization",
  "package.repository"
]

/** The type of a record or list that must not be null. */
const present = (type: string): Json => {
  if (type.endsWith("[]")) return { type: "array", items: typed(type.slice(0, -2)) }
  return type in known ? { $ref: `#/definitions/${type}` } : typed(type)
}

/** The shape of a whole document: only the listed objects may be null. */
const wholeShape = (name: string, fields: Readonly<Record<string, string>>): Json => ({
  type: "object",
  properties: Object.fromEntries(
    Object.entries(fields).map(([field, type]) => [
      field,
      nullableParts.includes(`${name}.${field}`) ? typed(type) : present(type)
    ])
  ),
  required: Object.keys(fields)
})

/** The fields of the document of each event type, as clients of this API know them. */
const documents: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  create: { sha: "string", ref: "string", ref_type: "string" },
  delete: { ref: "string", ref_type: "string", pusher_type: "string" },
  fork: { forkee: "Repository" },
  push: {
    ref: "string",
    before: "string",
    after: "string",
    compare_url: "string",
    commits: "PayloadCommit[]",
    total_commits: "integer",
    head_commit: "PayloadCommit",
    pusher: "User"
  },
  issues: issue,
  issue_comment: comment,
  pull_request: pull,
  pull_request_comment: { ...comment, pull_request: "PullRequest" },
  pull_request_review: pull,
  wiki: { action: "string", page: "string", comment: "string" },
  repository: { action: "string", organization: "User" },
  release: { action: "string", release: "Release" },
  package: { action: "string", package: "Package", organization: "Organization" },
  status: {
    id: "integer",
    sha: "string",
    state: "string",
    context: "string",
    description: "string",
    target_url: "string",
    created_at: "date-time",
    updated_at: "date-time",
    commit: "PayloadCommit"
  },
  workflow_run: { action: "string", workflow: "ActionWorkflow", workflow_run: "ActionWorkflowRun" },
  workflow_job: { action: "string", workflow_job: "ActionWorkflowJob" }
}

const ajv = addFormats.default(new Ajv({ allErrors: true, strict: false }))
const validators = Object.fromEntries(
  Object.entries(documents).map(([name, fields]) => {
    const whole = { ...fields, repository: "Repository", sender: "User" }
    return [name, ajv.compile({ ...wholeShape(name, whole), definitions })]
  })
)

/** The document of an event type: events on parts of an issue use that of the issue. */
const documentOf = (type: string): string => {
  if (type in documents) return type
  if (type.startsWith("pull_request_review_") && type !== "pull_request_review_request") return "pull_request_review"
  return type.startsWith("pull_request") ? "pull_request" : "issues"
}

/** Lists the differences of a document from the known format. */
export const misshapen = (type: string, payload: Json): ReadonlyArray<string> => {
  const validate = validators[documentOf(type)]
  if (validate === undefined || validate(payload)) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${type}${instancePath} ${message}`)
}

/** A site with one webhook for all events: each delivered document is compared with the known shapes. */
export const site = Effect.gen(function* () {
  const api = yield* start()
  for (const name of ["bob", "ann"]) yield* api.user(name)
  yield* api.ask(201, "POST", "/user/repos", { ...bob, body: { name: "site", auto_init: true } })
  yield* api.ask(204, "PUT", `${at}/collaborators/ann`, { ...bob, body: { permission: "write" } })
  const sent: Array<HookRequest> = []
  const sender = {
    send: (request: HookRequest) => {
      sent.push(request)
      return Effect.succeed({ status: 200, headers: {}, body: "" })
    }
  }
  const deliver = api.within(Effect.andThen(Jobs.runDue, Effect.provideService(HookWork.runDue, HookSender, sender)))
  yield* deliver
  yield* api.ask(201, "POST", `${at}/hooks`, {
    ...bob,
    body: { type: "gitea", active: true, config: { url: "https://ci.example/", content_type: "json" }, events: ["*"] }
  })
  /** Delivers, and returns the deliveries since the last call. */
  const told = Effect.map(deliver, () =>
    sent.splice(0).map(({ body, headers, url }) => {
      const payload = JSON.parse(body) as Json
      const type = headers["X-Gitea-Event-Type"] ?? ""
      // Messages to chat services have no sender.
      if ("sender" in payload) expect(misshapen(type, payload)).toEqual([])
      return { event: headers["X-Gitea-Event"], type, url, payload }
    })
  )
  const file = (path: string, more: Json = {}) =>
    api.ask(201, "POST", `${at}/contents/${path}`, {
      ...bob,
      body: { content: "aGk=", message: `Add ${path}`, branch: "main", ...more }
    })
  return { api, told, file }
})

/** The deliveries. */
export type Observation = Effect.Success<Effect.Success<typeof site>["told"]>
