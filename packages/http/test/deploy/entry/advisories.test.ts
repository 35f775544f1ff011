import { describe, expect } from "@effect/vitest"
import { AccountStore } from "@slipway/domain/deploy/identity"
import { Effect } from "effect"
import { Api, withApi } from "../support/api.ts"
import { newKey } from "../support/harness.ts"
import { makeMember, makeTeam } from "../support/members.ts"
import { createWebhookApplication } from "../support/webhookApplication.ts"
import { pushBody } from "../support/webhooks.ts"

const compose = btoa("services:\n  app:\n    image: nginx\n")

// Weaknesses of other deployment platforms, each with the requests that it allowed there.
describe("advisories", () => {
  withApi()("do not apply", (it) => {
    const everyPart = Effect.fnUntraced(function* () {
      const { service, world } = yield* Api
      const { ask, project, server } = service
      const where = { project_uuid: project, environment_name: "production", server_uuid: server }
      const application = yield* world.create("dockerimage")
      const database: string = (yield* ask(201, "POST", "/databases/redis", where)).uuid
      const made: string = (yield* ask(201, "POST", "/services", { ...where, docker_compose_raw: compose })).uuid
      const deployment: string = (yield* ask(200, "POST", `/applications/${application}/start`)).deployment_uuid
      return { application, database, deployment, project, server, service, made, world }
    })

    it.effect("CVE-2026-48742: a service of another team is not found by its uuid alone", () =>
      Effect.gen(function* () {
        const { made, service } = yield* everyPart()
        const { token } = yield* makeTeam(service, "vokey")
        for (const [method, path] of [
          ["GET", ""],
          ["PATCH", ""],
          ["DELETE", ""],
          ["GET", "/envs"],
          ["GET", "/logs"],
          ["GET", "/applications"],
          ["POST", "/start"],
          ["POST", "/restart"],
          ["POST", "/stop"]
        ] as const) {
          const answer = yield* service.send(method, `/api/v1/services/${made}${path}`, { token })
          expect([answer.status, answer.json], `${method} ${path}`).toEqual([404, { message: "Service not found." }])
        }
      })
    )

    it.effect("CVE-2026-43917: every request is limited to the team of the token", () =>
      Effect.gen(function* () {
        const { application, database, deployment, project, server, service, world } = yield* everyPart()
        const { token } = yield* makeTeam(service, "scoped")
        const { ask } = service
        for (const path of [
          `/applications/${application}`,
          `/databases/${database}`,
          `/deployments/${deployment}`,
          `/projects/${project}`,
          `/servers/${server}`,
          `/security/keys/${world.key}`,
          `/forge-apps/${world.forgeApp}`,
          "/teams/0",
          "/teams/0/members"
        ]) {
          yield* ask(404, "GET", path, undefined, { token })
        }
        for (const path of [
          "/applications",
          "/databases",
          "/deployments",
          "/deletions",
          "/destinations",
          "/resources",
          "/tags"
        ]) {
          expect(yield* ask(200, "GET", path, undefined, { token }), path).toEqual([])
        }
      })
    )

    it.effect("CVE-2026-45632: a schedule is created only with a role on its application", () =>
      Effect.gen(function* () {
        const { application, made, service } = yield* everyPart()
        const { token: outside } = yield* makeTeam(service, "schedules")
        const { token: viewer } = yield* makeMember(service, "viewer", [{ role: "viewer" }])
        const { token: deployer } = yield* makeMember(service, "deployer", [{ role: "deployer" }])
        const task = { name: "t", command: "id", frequency: "* * * * *" }
        for (const path of [`/applications/${application}/scheduled-tasks`, `/services/${made}/scheduled-tasks`]) {
          yield* service.ask(404, "POST", path, task, { token: outside })
          yield* service.ask(403, "POST", path, task, { token: viewer })
          yield* service.ask(403, "POST", path, task, { token: deployer })
        }
      })
    )

    it.effect("coolify#6918: a key of the root team is used and read by no other team", () =>
      Effect.gen(function* () {
        const { service, world } = yield* everyPart()
        const { ask } = service
        const { token } = yield* makeTeam(service, "keys")
        const as = { token }
        expect(yield* ask(200, "GET", "/security/keys", undefined, as)).toEqual([])
        yield* ask(404, "GET", `/security/keys/${world.key}`, undefined, as)
        const host = { name: "s", ip: "10.0.0.5" }
        yield* ask(400, "POST", "/servers", { ...host, private_key_uuid: world.key }, as)
        const { uuid } = yield* ask(201, "POST", "/servers", host, as)
        yield* ask(400, "PATCH", `/servers/${uuid}`, { private_key_uuid: world.key }, as)
        const app = {
          name: "f",
          html_url: "https://forge.example",
          app_id: 1,
          installation_id: 2,
          client_id: "c",
          client_secret: "s"
        }
        yield* ask(400, "POST", "/forge-apps", { ...app, private_key_uuid: world.key }, as)
        const own = (yield* ask(201, "POST", "/security/keys", { name: "own", private_key: newKey() }, as)).uuid
        yield* ask(201, "POST", "/forge-apps", { ...app, private_key_uuid: own }, as)
        yield* ask(404, "GET", `/security/keys/${own}`)
        // No response contains the private half.
        const text = (yield* service.send("GET", `/api/v1/security/keys/${world.key}`)).text
        expect(text).not.toContain("PRIVATE KEY")
      })
    )

    it.effect("cross-team logs: logs of deployments, applications and databases are missing for other teams", () =>
      Effect.gen(function* () {
        const { application, database, deployment, made, service } = yield* everyPart()
        const { token } = yield* makeTeam(service, "logs")
        const { token: member } = yield* makeMember(service, "member", [])
        for (const path of [
          `/deployments/${deployment}/logs`,
          `/deployments/${deployment}/logs/stream`,
          `/applications/${application}/logs`,
          `/applications/${application}/logs/stream`,
          `/databases/${database}/logs`,
          `/services/${made}/logs`
        ]) {
          yield* service.ask(404, "GET", path, undefined, { token })
          yield* service.ask(403, "GET", path, undefined, { token: member })
        }
      })
    )

    it.effect("I7: automatic deployments act as the account that set them up, and stop with its role", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const { ask, project, within } = service
        const { account, token } = yield* makeMember(service, "pat", [
          { role: "developer", type: "project", uuid: project }
        ])
        const target = yield* createWebhookApplication()
        // The application belongs to a token of the team at first.
        expect((yield* target.deliver("gitea", pushBody("gitea", { note: "one" }))).json.outcome).toBe("queued")
        yield* ask(200, "PATCH", `/applications/${target.uuid}`, { is_auto_deploy_enabled: true }, { token })
        expect((yield* target.deliver("gitea", pushBody("gitea", { note: "two" }))).json.outcome).toBe("queued")
        yield* ask(200, "PATCH", `/applications/${target.uuid}`, { description: "by the team" })
        const [grant] = (yield* ask(200, "GET", "/grants")).filter(
          (each: { account_uuid: string }) => each.account_uuid === account.uuid
        )
        yield* ask(200, "DELETE", `/grants/${grant.uuid}`)
        const stopped = (yield* target.deliver("gitea", pushBody("gitea", { note: "three" }))).json
        expect([stopped.outcome, stopped.reason, stopped.deployment_uuid]).toEqual([
          "ignored",
          "owner_not_allowed",
          null
        ])
        const viewer = { account_uuid: account.uuid, place_type: "project", place_uuid: project, role: "viewer" }
        yield* ask(201, "POST", "/grants", viewer)
        expect((yield* target.deliver("gitea", pushBody("gitea", { note: "four" }))).json.reason).toBe(
          "owner_not_allowed"
        )
        yield* ask(201, "POST", "/grants", { ...viewer, role: "deployer" })
        expect((yield* target.deliver("gitea", pushBody("gitea", { note: "five" }))).json.outcome).toBe("queued")
        yield* within(Effect.flatMap(AccountStore, (store) => store.replace({ ...account, isDisabled: true })))
        expect((yield* target.deliver("gitea", pushBody("gitea", { note: "six" }))).json.reason).toBe(
          "owner_not_allowed"
        )
        yield* ask(200, "PATCH", `/applications/${target.uuid}`, { is_auto_deploy_enabled: true })
        expect((yield* target.deliver("gitea", pushBody("gitea", { note: "seven" }))).json.outcome).toBe("queued")
      })
    )
  })
})
