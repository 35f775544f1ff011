import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { start, stores } from "../support/harness.ts"
import { makeMember, makeTeam } from "../support/members.ts"

describe("the notification channels of a team", () => {
  for (const [name, layer] of Object.entries(stores)) {
    it.live(`are hidden from other teams, and change only for administrators (${name}, CVE-2026-48742)`, () =>
      Effect.gen(function* () {
        const service = yield* start(layer)
        const { ask } = service
        const acme = yield* makeTeam(service, "acme")
        const ours = { slack_enabled: true, slack_webhook_url: "https://hooks.example/ours" }
        const theirs = { slack_enabled: true, slack_webhook_url: "https://hooks.example/theirs" }
        const path = "/notifications/slack"
        expect((yield* ask(200, "PATCH", path, ours)).team_id).toBe(0)
        const token = { token: acme.token }
        expect(yield* ask(200, "GET", path, undefined, token)).toMatchObject({
          team_id: acme.id,
          slack_enabled: false,
          slack_webhook_url: null
        })
        expect(yield* ask(200, "PATCH", path, theirs, token)).toMatchObject({ team_id: acme.id, ...theirs })
        expect(yield* ask(200, "GET", path)).toMatchObject({ team_id: 0, ...ours })
        for (const role of ["viewer", "deployer", "developer"]) {
          const member = yield* makeMember(service, role, [{ role }])
          for (const [method, to] of [
            ["GET", path],
            ["PATCH", path],
            ["POST", `${path}/test`]
          ] as const) {
            const body = method === "PATCH" ? { slack_enabled: false } : undefined
            const { message } = yield* ask(403, method, to, body, { token: member.token })
            expect(message, `${role} ${method}`).toContain("the role `admin` on the team is missing")
          }
        }
        const admin = yield* makeMember(service, "admin", [{ role: "admin" }])
        expect(yield* ask(200, "GET", path, undefined, { token: admin.token })).toMatchObject(ours)
      })
    )
  }
})
