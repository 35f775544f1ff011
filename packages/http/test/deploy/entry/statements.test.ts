// @effect-diagnostics missingLayerContext:off
import { expect, it } from "@effect/vitest"
import { statementTracer } from "@slipway/sql/testing"
import { Effect, Layer, Tracer } from "effect"
import { start, stores } from "../support/harness.ts"
import { makeMember, makeTeam } from "../support/members.ts"
import { makeWorld } from "../support/world.ts"

it.live("a request of a member sends as many statements as that of a root token", () =>
  Effect.gen(function* () {
    const { statements, tracer } = statementTracer()
    const service = yield* start(stores["embedded PostgreSQL"], Layer.succeed(Tracer.Tracer, tracer))
    const { create } = yield* makeWorld(service)
    const { project, root, send, server } = service
    const application = yield* create("dockerimage")
    // Grants of the member itself and of a group, on several places.
    const { account, token } = yield* makeMember(service, "ann", [
      { role: "developer", type: "project", uuid: project },
      { role: "viewer" }
    ])
    const group = (yield* service.ask(201, "POST", "/teams/0/groups", { name: "admins" })).uuid
    yield* service.ask(201, "POST", `/teams/0/groups/${group}/members`, { account_uuid: account.uuid })
    yield* service.ask(201, "POST", "/grants", { group_uuid: group, place_type: "team", role: "admin" })
    const requests = [
      ["GET", "/projects"],
      ["GET", `/projects/${project}`],
      ["GET", "/applications"],
      ["GET", `/applications/${application}`],
      ["GET", `/applications/${application}/envs`],
      ["GET", "/databases"],
      ["GET", "/services"],
      ["GET", "/servers"],
      ["GET", `/servers/${server}`],
      ["GET", "/security/keys"],
      ["GET", "/deployments?per_page=10&page=1"],
      ["GET", "/resources"],
      ["GET", "/tags"],
      ["GET", "/teams/0/members"],
      ["POST", "/access/check", { checks: [{ action: "application.update", object: application }] }],
      ["PATCH", `/applications/${application}`, { description: "changed" }],
      ["POST", `/applications/${application}/start`]
    ] as const
    const count = Effect.fnUntraced(function* (credential: string) {
      const counts: Array<readonly [request: string, status: number, statements: number]> = []
      for (const [method, path, body] of requests) {
        const before = statements.length
        const sent = { token: credential, ...(body === undefined ? {} : { body }) }
        const { status } = yield* send(method, `/api/v1${path}`, sent)
        counts.push([`${method} ${path.replace(/[a-z0-9]{24}/g, "…")}`, status, statements.length - before])
      }
      return counts
    })
    const compare = Effect.gen(function* () {
      // The first request records the use of a token.
      yield* send("GET", "/api/v1/token", { token: root })
      yield* send("GET", "/api/v1/token", { token })
      // The first round leaves deployments, which make lists longer.
      yield* count(root)
      const [ofRoot, ofMember] = [yield* count(root), yield* count(token)]
      expect(ofMember.map(([request, status]) => [request, status])).toEqual(
        ofRoot.map(([request, status]) => [request, status])
      )
      return ofMember.map(([request, , most], at) => [request, most - (ofRoot[at]?.[2] ?? 0)])
    })
    const none = requests.map(([method, path]) => [`${method} ${path.replace(/[a-z0-9]{24}/g, "…")}`, 0])
    expect(yield* compare).toEqual(none)
    // With other teams, lists have a condition.
    yield* makeTeam(service, "other")
    expect(yield* compare).toEqual(none)
  }).pipe(Effect.scoped)
)
