import { expect } from "@effect/vitest"
import { now, timeOf } from "@slipway/domain"
import { DeploymentStore } from "@slipway/domain/deploy/apps"
import { AccountStore } from "@slipway/domain/deploy/identity"
import { Effect } from "effect"
import { Api, withApi } from "../support/api.ts"
import { makeMember, makeTeam } from "../support/members.ts"
import { createWebhookApplication } from "../support/webhookApplication.ts"
import { eventOf, pullRequestBody, pushBody } from "../support/webhooks.ts"

const waits = "The deployment waits for an approval."

/** An application in a protected environment, a developer of the project, and a deployer of the environment. */
const protectedWorld = Effect.fnUntraced(function* () {
  const { service, world } = yield* Api
  const { ask, environment, project, within } = service
  yield* ask(200, "PATCH", `/projects/${project}/environments/${environment}`, { is_protected: true })
  const application = yield* world.create("dockerimage")
  const developer = yield* makeMember(service, "dev", [{ role: "developer", type: "project", uuid: project }])
  const deployer = yield* makeMember(service, "ops", [{ role: "deployer", type: "environment", uuid: environment }])
  const asDeveloper = { token: developer.token }
  const asDeployer = { token: deployer.token }
  const start = (uuid = application) => ask(200, "POST", `/applications/${uuid}/start`, undefined, asDeveloper)
  const read = (uuid: string) => ask(200, "GET", `/deployments/${uuid}`)
  const claim = within(
    Effect.gen(function* () {
      const at = yield* now
      const row = yield* (yield* DeploymentStore).claim({ worker: "test", at, until: timeOf(4_000_000_000_000) })
      return row?.uuid as string | undefined
    })
  )
  /** Changes the end of the time in which a deployment can be approved. */
  const expire = (uuid: string) =>
    within(
      Effect.gen(function* () {
        const store = yield* DeploymentStore
        const row = yield* store.find(uuid as never)
        if (row !== undefined) yield* store.replace({ ...row, approvalUntil: timeOf(0) })
      })
    )
  return { ...service, application, developer, deployer, asDeveloper, asDeployer, start, read, claim, expire, world }
})

for (const store of ["memory", "embedded PostgreSQL"] as const) {
  withApi(store)(`approvals of deployments: ${store}`, (it) => {
    it.effect("let a deployment to a protected environment wait, and queue it once it is approved", () =>
      Effect.gen(function* () {
        const { application, ask, asDeployer, asDeveloper, claim, developer, read, start } = yield* protectedWorld()
        const { deployment_uuid: uuid, message } = yield* start()
        expect(message).toBe(waits)
        const waiting = yield* read(uuid)
        expect(waiting).toMatchObject({
          status: "queued",
          reason: "waiting for an approval",
          requested_by: developer.account.uuid
        })
        const days = (Date.parse(waiting.approval_until) - Date.parse(waiting.created_at)) / 86_400_000
        expect(days).toBeCloseTo(7, 3)
        expect(yield* claim).toBeUndefined()
        // The requester does not approve, also not by a change of the application.
        yield* ask(403, "POST", `/deployments/${uuid}/approve`, undefined, asDeveloper)
        yield* ask(403, "POST", `/deployments/${uuid}/reject`, undefined, asDeveloper)
        const actions = ["deployment.approve", "deployment.reject", "deployment.cancel"]
        const checks = actions.map((action) => ({ action, object: application }))
        for (const [asker, allowed] of [
          [asDeveloper, false],
          [asDeployer, true]
        ] as const) {
          const answers = yield* ask(200, "POST", "/access/check", { checks }, asker)
          expect(answers.map((each: { allowed: boolean }) => each.allowed)).toEqual([allowed, allowed, allowed])
        }
        expect(yield* claim).toBeUndefined()
        expect(yield* ask(200, "POST", `/deployments/${uuid}/approve`, undefined, asDeployer)).toEqual({
          message: "Deployment approved.",
          deployment_uuid: uuid,
          status: "queued"
        })
        expect(yield* read(uuid)).toMatchObject({ status: "queued", reason: null, approval_until: null })
        expect(yield* claim).toBe(uuid)
        const again = yield* ask(409, "POST", `/deployments/${uuid}/approve`, undefined, asDeployer)
        expect(again.message).toBe("The deployment does not wait for an approval: it is preparing.")
        yield* ask(409, "POST", `/deployments/${uuid}/reject`, undefined, asDeployer)
        const { deployments } = yield* ask(200, "POST", `/deploy?uuid=${application}`, undefined, asDeployer)
        expect(deployments[0].message).toMatch(/deployment queued\.$/)
        const audited = (yield* ask(200, "GET", "/audit?outcome=done")).filter((row: { action: string }) =>
          /deploy/.test(row.action)
        )
        expect(audited.map((row: Record<string, unknown>) => [row["action"], row["object"]])).toEqual([
          ["deployment.approve", uuid],
          ["application.deploy.request", application]
        ])
      })
    )

    it.effect("cancel a rejected, a replaced and an expired deployment", () =>
      Effect.gen(function* () {
        const { application, ask, asDeployer, asDeveloper, claim, expire, read, start } = yield* protectedWorld()
        const first = (yield* start()).deployment_uuid
        const { deployments } = yield* ask(200, "POST", "/deploy", { uuid: application }, asDeveloper)
        const [{ deployment_uuid: second, message }] = deployments
        expect(message).toMatch(/deployment waits for an approval\.$/)
        expect(yield* read(first)).toMatchObject({ status: "cancelled", reason: "superseded" })
        yield* ask(409, "POST", `/deployments/${first}/approve`, undefined, asDeployer)
        expect(yield* ask(200, "POST", `/deployments/${second}/reject`, undefined, asDeployer)).toEqual({
          message: "Deployment rejected.",
          deployment_uuid: second,
          status: "cancelled"
        })
        expect(yield* read(second)).toMatchObject({ status: "cancelled", reason: "rejected" })
        const third = (yield* start()).deployment_uuid
        yield* expire(third)
        const late = yield* ask(409, "POST", `/deployments/${third}/approve`, undefined, asDeployer)
        expect(late.message).toBe("The deployment does not wait for an approval: it is expired.")
        yield* claim
        expect(yield* read(third)).toMatchObject({
          status: "cancelled",
          reason: "it was not approved within 7 days"
        })
        // Restarts and updates ask too; a stop needs the permission itself.
        const restarted = yield* ask(200, "POST", `/applications/${application}/restart`, undefined, asDeveloper)
        expect(restarted.message).toBe(waits)
        yield* ask(403, "POST", `/applications/${application}/stop`, undefined, asDeveloper)
        yield* ask(200, "PATCH", `/applications/${application}`, { instant_deploy: true }, asDeveloper)
        expect(yield* read(restarted.deployment_uuid)).toMatchObject({ status: "cancelled", reason: "superseded" })
      })
    )

    it.effect("let the start of a service and of its parts wait, and start stopped parts once it is approved", () =>
      Effect.gen(function* () {
        const { ask, asDeployer, asDeveloper, claim, environment, project, read, server } = yield* protectedWorld()
        const { uuid } = yield* ask(201, "POST", "/services", {
          name: "svc",
          docker_compose_raw: JSON.stringify({
            services: { web: { image: "nginx:1.27" }, db: { image: "postgres:17" } }
          }),
          project_uuid: project,
          server_uuid: server,
          environment_uuid: environment
        })
        const path = `/services/${uuid}`
        const { applications, databases } = yield* ask(200, "GET", path)
        const [web, db] = [`${path}/applications/${applications[0].uuid}`, `${path}/databases/${databases[0].uuid}`]
        const stopped = Effect.map(ask(200, "GET", path), (found) =>
          [found.applications[0], found.databases[0]].map(({ is_stopped }) => is_stopped)
        )
        yield* ask(200, "POST", `${db}/stop`, undefined, asDeployer)
        yield* ask(200, "POST", `${web}/stop`, undefined, asDeployer)
        expect(yield* stopped).toEqual([true, true])
        yield* claim
        const first = yield* ask(200, "POST", `${db}/start`, undefined, asDeveloper)
        expect(first.message).toBe(waits)
        expect(yield* read(first.deployment_uuid)).toMatchObject({
          application_uuid: uuid,
          status: "queued",
          reason: "waiting for an approval to start `db`"
        })
        // The request starts nothing, also after its rejection.
        expect(yield* stopped).toEqual([true, true])
        yield* ask(403, "POST", `/deployments/${first.deployment_uuid}/approve`, undefined, asDeveloper)
        yield* ask(200, "POST", `/deployments/${first.deployment_uuid}/reject`, undefined, asDeployer)
        expect(yield* stopped).toEqual([true, true])
        const second = yield* ask(200, "POST", `${db}/start`, undefined, asDeveloper)
        yield* ask(200, "POST", `/deployments/${second.deployment_uuid}/approve`, undefined, asDeployer)
        expect(yield* stopped).toEqual([true, false])
        const third = yield* ask(200, "POST", `${path}/start`, undefined, asDeveloper)
        expect(third.message).toBe(waits)
        expect((yield* read(third.deployment_uuid)).reason).toBe("waiting for an approval to start `web`")
        const restarted = yield* ask(200, "POST", `${path}/restart?latest=true`, undefined, asDeveloper)
        expect(restarted.message).toBe(waits)
        expect((yield* read(restarted.deployment_uuid)).reason).toBe("waiting for an approval")
        expect(yield* read(third.deployment_uuid)).toMatchObject({ status: "cancelled", reason: "superseded" })
        expect((yield* ask(200, "POST", `${db}/restart`, undefined, asDeveloper)).message).toBe(waits)
        const fourth = yield* ask(200, "POST", `${path}/start`, undefined, asDeveloper)
        yield* ask(200, "POST", `/deployments/${fourth.deployment_uuid}/approve`, undefined, asDeployer)
        expect(yield* stopped).toEqual([false, false])
        // A stop needs the permission itself; a member with it needs no approval.
        yield* ask(403, "POST", `${path}/stop`, undefined, asDeveloper)
        yield* ask(403, "POST", `${db}/stop`, undefined, asDeveloper)
        const own = yield* ask(200, "POST", `${path}/start`, undefined, asDeployer)
        expect(own.message).toBe("Service starting request queued.")
        expect(yield* read(own.deployment_uuid)).toMatchObject({ status: "queued", approval_until: null })
      })
    )

    it.effect("let previews of a developer wait, by number and by webhook", () =>
      Effect.gen(function* () {
        const { ask, asDeployer, asDeveloper, claim, developer, read } = yield* protectedWorld()
        const domains = `http://waits-${store === "memory" ? "a" : "b"}.example`
        const target = yield* createWebhookApplication({ is_preview_deployments_enabled: true, domains })
        yield* ask(200, "PATCH", `/applications/${target.uuid}`, { is_auto_deploy_enabled: true }, asDeveloper)
        const { deployments } = yield* ask(200, "POST", `/deploy?uuid=${target.uuid}&pr=7`, undefined, asDeveloper)
        const [{ deployment_uuid: uuid, message, resource_uuid: preview }] = deployments
        expect(message).toMatch(/deployment waits for an approval\.$/)
        expect(yield* read(uuid)).toMatchObject({ reason: "waiting for an approval", pull_request_id: 7 })
        expect(yield* claim).toBeUndefined()
        yield* ask(403, "POST", `/deployments/${uuid}/approve`, undefined, asDeveloper)
        const { json } = yield* target.deliver("github", pullRequestBody("github", "opened"), {
          headers: eventOf("github", "pull_request")
        })
        expect(json).toMatchObject({ outcome: "queued", reason: null })
        expect(yield* read(json.deployment_uuid)).toMatchObject({
          application_uuid: preview,
          reason: "waiting for an approval",
          requested_by: developer.account.uuid
        })
        expect(yield* read(uuid)).toMatchObject({ status: "cancelled", reason: "superseded" })
        yield* ask(200, "POST", `/deployments/${json.deployment_uuid}/approve`, undefined, asDeployer)
        expect(yield* read(json.deployment_uuid)).toMatchObject({ status: "queued", approval_until: null })
      })
    )

    it.effect("change the tag of a preview only with an approval, and remove a rejected or cancelled new preview", () =>
      Effect.gen(function* () {
        const { ask, asDeployer, asDeveloper, read, world } = yield* protectedWorld()
        const uuid = yield* world.create("dockerimage", {
          domains: `http://tags-${store === "memory" ? "a" : "b"}.example`,
          docker_registry_image_name: "nginx",
          is_preview_deployments_enabled: true
        })
        const deploy = Effect.fnUntraced(function* (tag: string, asker: { readonly token: string }) {
          const { deployments } = yield* ask(200, "POST", "/deploy", { uuid, pr: 9, docker_tag: tag }, asker)
          return deployments[0]
        })
        const decide = (name: string, decision: "approve" | "reject") =>
          ask(200, "POST", `/deployments/${name}/${decision}`, undefined, asDeployer)
        const previews = ask(200, "GET", `/applications/${uuid}/previews`)
        const first = yield* deploy("pr-9", asDeveloper)
        expect((yield* read(first.deployment_uuid)).reason).toBe("waiting for an approval to run the tag `pr-9`")
        expect(yield* previews).toHaveLength(1)
        yield* decide(first.deployment_uuid, "reject")
        expect(yield* previews).toEqual([])
        yield* ask(404, "GET", `/applications/${first.resource_uuid}`)
        const withdrawn = yield* deploy("pr-9", asDeveloper)
        yield* ask(200, "POST", `/deployments/${withdrawn.deployment_uuid}/cancel`, undefined, asDeployer)
        expect(yield* previews).toEqual([])

        const { resource_uuid: preview } = yield* deploy("pr-9-1", asDeployer)
        const tag = Effect.map(
          ask(200, "GET", `/applications/${preview}`),
          ({ docker_registry_image_tag: found }) => found
        )
        const rejected = yield* deploy("pr-9-2", asDeveloper)
        expect([rejected.resource_uuid, yield* tag]).toEqual([preview, "pr-9-1"])
        yield* decide(rejected.deployment_uuid, "reject")
        expect([(yield* previews)[0].uuid, yield* tag]).toEqual([preview, "pr-9-1"])
        const approved = yield* deploy("pr-9-3", asDeveloper)
        expect(yield* tag).toBe("pr-9-1")
        yield* decide(approved.deployment_uuid, "approve")
        expect(yield* tag).toBe("pr-9-3")
        yield* ask(200, "DELETE", `/applications/${uuid}/previews/9`)
      })
    )

    it.effect("are not offered for databases, which need the permission itself", () =>
      Effect.gen(function* () {
        const { ask, asDeployer, asDeveloper, environment, project, server } = yield* protectedWorld()
        const where = { project_uuid: project, server_uuid: server, environment_uuid: environment }
        yield* ask(403, "POST", "/databases/redis", { ...where, instant_deploy: true }, asDeveloper)
        const { uuid } = yield* ask(201, "POST", "/databases/redis", where, asDeveloper)
        for (const action of ["start", "restart", "stop"]) {
          yield* ask(403, "POST", `/databases/${uuid}/${action}`, undefined, asDeveloper)
          yield* ask(200, "POST", `/databases/${uuid}/${action}`, undefined, asDeployer)
        }
      })
    )

    it.effect("I7: cancel a deployment if the account that requested it may no longer deploy", () =>
      Effect.gen(function* () {
        const { ask, asDeployer, claim, developer, read, start, within } = yield* protectedWorld()
        const { deployment_uuid: uuid } = yield* start()
        const disabled = { ...developer.account, isDisabled: true }
        yield* within(Effect.flatMap(AccountStore, (accounts) => accounts.replace(disabled)))
        expect(yield* ask(200, "POST", `/deployments/${uuid}/approve`, undefined, asDeployer)).toEqual({
          message: "Deployment cancelled: the account that requested it may no longer deploy.",
          deployment_uuid: uuid,
          status: "cancelled"
        })
        expect((yield* read(uuid)).reason).toBe("the account that requested it may no longer deploy")
        expect(yield* claim).toBeUndefined()
      })
    )

    it.effect("let automatic deployments of a developer wait, and hide them from other teams", () =>
      Effect.gen(function* () {
        const { ask, asDeveloper, claim, developer, read, server, within } = yield* protectedWorld()
        const waitingNow = within(Effect.flatMap(DeploymentStore, (all) => all.waitingFor(server as never, [])))
        const target = yield* createWebhookApplication()
        const before = yield* waitingNow
        yield* ask(200, "PATCH", `/applications/${target.uuid}`, { is_auto_deploy_enabled: true }, asDeveloper)
        const { json } = yield* target.deliver("gitea", pushBody("gitea", { note: "pushed" }))
        expect(json).toMatchObject({ outcome: "queued", reason: null })
        const uuid = json.deployment_uuid
        expect(yield* read(uuid)).toMatchObject({
          status: "queued",
          reason: "waiting for an approval",
          is_webhook: true,
          requested_by: developer.account.uuid
        })
        expect(yield* claim).toBeUndefined()
        const { token } = yield* makeTeam(yield* Effect.map(Api, ({ service }) => service), "others")
        yield* ask(404, "POST", `/deployments/${uuid}/approve`, undefined, { token })
        yield* ask(404, "POST", `/deployments/${uuid}/reject`, undefined, { token })
        // A waiting deployment takes no place in the queue of the server.
        expect(yield* waitingNow).toBe(before)
        yield* ask(201, "PATCH", `/servers/${server}`, { deployment_queue_limit: before + 1 })
        const other = yield* (yield* Api).world.create("dockerimage")
        yield* ask(200, "POST", `/applications/${other}/start`)
        yield* ask(429, "POST", `/deployments/${uuid}/approve`)
        expect((yield* read(uuid)).reason).toBe("waiting for an approval")
      })
    )
  })
}
