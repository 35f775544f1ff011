import { expect } from "@effect/vitest"
import { Variables } from "@slipway/deploy/apps"
import {
  DeploymentStore,
  type ExecutionUuid,
  ScheduledTaskStore,
  SharedVariableStore,
  VariableStore
} from "@slipway/domain/deploy/apps"
import type { DeploymentUuid } from "@slipway/domain/deploy/base"
import { DeploymentLogStore } from "@slipway/domain/deploy/runtime"
import { HostSimulation } from "@slipway/memory/deploy"
import { Effect, Redacted } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"
import { newKey } from "../support/harness.ts"
import { hosted } from "../support/world.ts"

const nowhere = "x".repeat(24)

for (const store of storeNames) {
  withApi(store)(`Coolify's clients over ${store}`, (it) => {
    it.effect("deploy by query, body or link, and read the result with its log", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask, within } = service
        const [one, two] = [yield* world.create("dockerimage"), yield* world.create("dockerimage")]
        yield* ask(201, "POST", `/applications/${two}/tags`, { tag_name: "nightly" })
        const queued = [
          yield* ask(200, "POST", `/deploy?uuid=${one}`),
          yield* ask(200, "POST", "/deploy", { uuid: one, force: true }),
          yield* ask(200, "GET", `/deploy?uuid=${one}&tag=nightly`)
        ]
        expect(
          queued.map(({ deployments }) => deployments.map((each: { resource_uuid: string }) => each.resource_uuid))
        ).toEqual([[one], [one], [one, two]])
        yield* ask(400, "POST", "/deploy", { uuid: 5 })
        yield* ask(400, "POST", "/deploy", {})
        yield* ask(400, "GET", "/deploy")
        const deployment: DeploymentUuid = queued[1].deployments[0].deployment_uuid
        const line = { at: "2026-01-02T03:04:05.000Z", stream: "stdout", text: "building" } as const
        yield* within(Effect.flatMap(DeploymentLogStore, (logs) => logs.append(deployment, [line])))
        const entry = {
          command: null,
          output: "building",
          type: "stdout",
          timestamp: "2026-01-02T03:04:05.000Z",
          hidden: false,
          batch: 1,
          order: expect.any(Number)
        }
        const listed = yield* ask(200, "GET", `/deployments/applications/${one}?take=2`)
        expect([listed.count, listed.deployments.length]).toEqual([3, 2])
        expect(listed.deployments.map(({ logs }: { logs: string }) => JSON.parse(logs))).toEqual([[], [entry]])
        expect(listed.deployments[1].force_rebuild).toBe(true)
        expect(JSON.parse((yield* ask(200, "GET", `/deployments/${deployment}`)).logs)).toEqual([entry])
      })
    )

    it.effect("find the reason why a deployment waits in lists of deployments", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask, within } = service
        const application = yield* world.create("dockerimage")
        const { deployment_uuid: first } = yield* ask(200, "POST", `/applications/${application}/start`)
        yield* within(
          Effect.gen(function* () {
            const store = yield* DeploymentStore
            const row = yield* store.find(first)
            if (row !== undefined) yield* store.replace({ ...row, status: "building" })
          })
        )
        const { deployment_uuid: second } = yield* ask(200, "POST", `/applications/${application}/start`)
        const reason = `waiting for deployment ${first} of this application`
        const waiting = expect.objectContaining({ deployment_uuid: second, status: "queued", reason })
        expect(yield* ask(200, "GET", "/deployments")).toContainEqual(waiting)
        expect(yield* ask(200, "GET", "/deployments?per_page=100")).toContainEqual(waiting)
      })
    )

    it.effect("read applications with Coolify's field names: status, fqdn, settings, secrets, build packs", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        const { forge_app_uuid, ...body } = world.minimal["private-forge-app"]
        const created = yield* ask(201, "POST", "/applications/private-github-app", {
          ...body,
          github_app_uuid: forge_app_uuid,
          build_pack: "nixpacks",
          domains: "https://siblings.example",
          manual_webhook_secret_github: "hook"
        })
        const short = yield* ask(201, "POST", "/applications/private-github-app", {
          ...body,
          github_app_uuid: forge_app_uuid,
          git_repository: "acme/short"
        })
        const app = yield* ask(200, "GET", `/github-apps/${forge_app_uuid}`)
        expect(app).toMatchObject({ uuid: forge_app_uuid, type: "github", is_system_wide: false })
        expect((yield* ask(200, "GET", `/applications/${short.uuid}`)).git_repository).toBe(
          `${app.html_url}/acme/short.git`
        )
        const seen = yield* ask(200, "GET", `/applications/${created.uuid}`)
        expect(seen).toMatchObject({
          status: "exited:unhealthy",
          fqdn: "https://siblings.example",
          build_pack: "nixpacks",
          github_app_uuid: forge_app_uuid,
          forge_app_uuid,
          manual_webhook_secret_github: "hook",
          manual_webhook_secret_forgeA: "hook",
          settings: { is_static: false, is_auto_deploy_enabled: true, is_build_server_enabled: false }
        })
        const { text: reader } = yield* service.mint("read")
        const masked = yield* ask(200, "GET", `/applications/${created.uuid}`, undefined, { token: reader })
        expect([masked.manual_webhook_secret_github, masked.manual_webhook_secret_forgeA]).toEqual([null, null])
        const twice = { manual_webhook_secret_github: "a", manual_webhook_secret_forgeA: "b" }
        expect(yield* ask(400, "PATCH", `/applications/${created.uuid}`, twice)).toEqual({
          message: "Validation failed.",
          errors: {
            manual_webhook_secret_github: [
              "Must not be sent together with manual_webhook_secret_forgeA, which is the same field."
            ]
          }
        })
        // A repository by owner/name is at the host of the app.
        const named = yield* ask(200, "PATCH", `/applications/${created.uuid}`, { git_repository: "acme/site" })
        const { html_url } = yield* ask(200, "GET", `/forge-apps/${forge_app_uuid}`)
        expect(named.git_repository).toBe(`${html_url}/acme/site.git`)
        yield* ask(400, "POST", "/applications/public", { ...world.minimal.public, git_repository: "acme/site" })
        const changed = yield* ask(200, "PATCH", `/applications/${created.uuid}`, { build_pack: "railpack" })
        expect([changed.build_pack, changed.status]).toEqual(["railpack", "exited:unhealthy"])
        yield* ask(400, "POST", "/applications/dockerimage", {
          ...world.minimal.dockerimage,
          github_app_uuid: forge_app_uuid
        })
      })
    )

    it.effect("get an error with the right field if they send domains for an application with Docker Compose", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        const refused = {
          message: "Validation failed.",
          errors: {
            domains: [
              "Must be empty for Docker Compose: give each service its domain in docker_compose_domains, as [{name, domain}]."
            ]
          }
        }
        const compose = { ...world.minimal.public, build_pack: "dockercompose" }
        const body = { ...compose, domains: "http://composed.example" }
        expect(yield* ask(400, "POST", "/applications/public", body)).toEqual(refused)
        const services = [{ name: "web", domain: "http://composed.example" }]
        const { uuid } = yield* ask(201, "POST", "/applications/public", {
          ...compose,
          autogenerate_domain: false,
          docker_compose_domains: services
        })
        const path = `/applications/${uuid}`
        expect(yield* ask(400, "PATCH", path, { domains: "http://other.example" })).toEqual(refused)
        // Changed together with the build pack, domains are accepted; the way back empties them.
        const own = { build_pack: "dockerfile", docker_compose_domains: [], domains: "http://composed.example" }
        expect((yield* ask(200, "PATCH", path, own)).domains).toBe("http://composed.example")
        expect(yield* ask(400, "PATCH", path, { build_pack: "dockercompose" })).toEqual(refused)
        yield* ask(200, "PATCH", path, { description: "a site" })
        yield* ask(200, "PATCH", path, { build_pack: "dockercompose", domains: "" })
      })
    )

    it.effect("find by number the resources to which applications, deployments and variables refer", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        const idOf = (path: string) => Effect.map(ask(200, "GET", path), ({ id }) => id as number)
        const key = yield* ask(200, "GET", "/security/keys")
        const deployKey = world.minimal["private-deploy-key"]
        const { uuid } = yield* ask(201, "POST", "/applications/private-deploy-key", deployKey)
        const app = world.minimal["private-forge-app"]
        const { uuid: other } = yield* ask(201, "POST", "/applications/private-forge-app", app)
        const ids = {
          destination_id: yield* idOf(`/destinations/${world.destination}`),
          environment_id: yield* idOf(`/projects/${world.project}/environments/production`)
        }
        const used = key.find((each: { uuid: string }) => each.uuid === deployKey.private_key_uuid)
        const seen = yield* ask(200, "GET", `/applications/${uuid}`)
        expect(seen).toMatchObject({ ...ids, private_key_id: used.id, source_id: null })
        const source_id = yield* idOf(`/forge-apps/${app.forge_app_uuid}`)
        const listed = yield* ask(200, "GET", "/applications")
        const ofOther = listed.find((each: { uuid: string }) => each.uuid === other)
        expect(ofOther).toMatchObject({ ...ids, private_key_id: null, source_id })
        expect(yield* ask(200, "PATCH", `/applications/${other}`, { name: "numbered" })).toMatchObject({ source_id })
        yield* ask(201, "POST", `/applications/${uuid}/envs`, { key: "A", value: "1" })
        const [variable] = yield* ask(200, "GET", `/applications/${uuid}/envs`)
        expect(variable).toMatchObject({ resourceable_id: seen.id, is_shared: false })
        const { deployments } = yield* ask(200, "POST", "/deploy", { uuid })
        const path = `/deployments/${deployments[0].deployment_uuid}`
        const named = { application_id: String(seen.id), destination_id: String(ids.destination_id) }
        const server_id = yield* idOf(`/servers/${world.server}`)
        expect(yield* ask(200, "GET", path)).toMatchObject({ ...named, server_id })
        yield* ask(200, "DELETE", `/applications/${uuid}`)
        expect(yield* ask(200, "GET", path)).toMatchObject({ ...named, application_id: null, server_id })
      })
    )

    it.effect("can set tags when they create an application", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        const body = { ...world.minimal.dockerimage, tags: ["first tag", "Second", "second"] }
        const { uuid } = yield* ask(201, "POST", "/applications/dockerimage", body)
        const given = yield* ask(200, "GET", `/applications/${uuid}/tags`)
        expect(given.map(({ name }: { name: string }) => name)).toEqual(["first tag", "second"])
        const wrong = { ...body, tags: ["", 5], ports_exposes: 5 }
        const { errors } = yield* ask(400, "POST", "/applications/dockerimage", wrong)
        expect(Object.keys(errors).sort()).toEqual(["ports_exposes", "tags.0", "tags.1"])
        yield* ask(400, "POST", "/applications/dockerimage", { ...body, tags: "one" })
        yield* ask(400, "PATCH", `/applications/${uuid}`, { tags: ["one"] })
      })
    )

    it.effect("find app installations as GitHub apps, by number and UUID", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const { ask } = service
        const key = yield* ask(201, "POST", "/security/keys", { private_key: newKey() })
        const sent = {
          name: "octo",
          html_url: "https://github.com",
          app_id: 1,
          installation_id: 2,
          client_id: "Iv1",
          private_key_uuid: key.uuid,
          is_system_wide: false
        }
        const made = yield* ask(201, "POST", "/github-apps", { ...sent, client_secret: "s3cret" })
        expect(made).toMatchObject({ ...sent, api_url: "https://api.github.com", custom_user: "git", team_id: 0 })
        const { id: private_key_id } = yield* ask(200, "GET", `/security/keys/${key.uuid}`)
        expect(made).toMatchObject({ private_key_id, type: "github", is_public: false })
        expect(JSON.stringify(made)).not.toContain("s3cret")
        expect(yield* ask(200, "GET", "/github-apps")).toContainEqual(made)
        yield* ask(400, "PATCH", `/github-apps/${made.id}`, { app_id: 0 })
        const changed = yield* ask(200, "PATCH", `/github-apps/${made.id}`, { name: "cat" })
        expect(changed).toMatchObject({
          message: "GitHub app updated successfully",
          data: { id: made.id, name: "cat" }
        })
        expect(yield* ask(200, "GET", `/forge-apps/${made.uuid}`)).toMatchObject({ name: "cat" })
        yield* ask(404, "PATCH", `/github-apps/${made.id + 1_000}`, { app_id: 0 })
        const repositories = `/github-apps/${made.id}/repositories`
        expect(yield* ask(502, "GET", repositories)).toEqual({ message: "The host does not exist." })
        yield* service.within(
          Effect.flatMap(HostSimulation, ({ has }) => has(2, [hosted, { ...hosted, name: "sh op" }]))
        )
        expect(yield* ask(200, "GET", repositories)).toEqual({
          repositories: [
            {
              id: 7,
              name: "shop",
              full_name: "team/shop",
              private: true,
              html_url: "https://github.com/team/shop",
              clone_url: "https://github.com/team/shop.git",
              default_branch: "main",
              owner: { login: "team" }
            },
            expect.objectContaining({ name: "sh op" })
          ]
        })
        expect(yield* ask(200, "GET", `${repositories}/team/shop/branches`)).toEqual({
          branches: [{ name: "main", commit: { sha: "5d41402a" }, protected: true }]
        })
        yield* ask(404, "GET", `${repositories}/team/other/branches`)
        // No host has such names. Some of them would redirect to other paths of its API.
        yield* ask(404, "GET", `${repositories}/team/sh%20op/branches`)
        yield* ask(404, "GET", `/github-apps/${made.id + 1_000}/repositories`)
        yield* ask(200, "DELETE", `/github-apps/${made.uuid}`)
        yield* ask(404, "DELETE", `/github-apps/${made.id}`)
      })
    )

    it.effect("move applications between projects, and clone them except for their unique settings", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        const source = yield* world.create("public", {
          git_repository: "https://me:hush@forge.example/team/app.git",
          domains: "https://first.example",
          ports_mappings: "9000:80",
          manual_webhook_secret_forgeA: "hook",
          custom_labels: "a=$b"
        })
        yield* ask(201, "POST", `/applications/${source}/envs`, { key: "A", value: "v", comment: "c" })
        yield* ask(201, "POST", `/applications/${source}/tags`, { tag_name: "copied" })
        const { uuid: project } = yield* ask(201, "POST", "/projects", { name: "moved to" })
        const [{ uuid: environment }] = yield* ask(200, "GET", `/projects/${project}/environments`)
        const placed = { uuid: source, project_uuid: project, environment_uuid: environment }
        expect(yield* ask(200, "POST", `/applications/${source}/move`, { environment_uuid: environment })).toEqual({
          message: "Application moved successfully.",
          ...placed
        })
        const before = yield* ask(200, "GET", `/applications/${source}`)
        expect(before).toMatchObject({ ...placed, domains: "https://first.example" })
        expect(yield* ask(400, "POST", `/applications/${source}/move`, { environment_uuid: nowhere })).toMatchObject({
          errors: { environment_uuid: ["There is no such environment."] }
        })
        yield* ask(404, "POST", `/applications/${nowhere}/move`, {})

        const path = `/applications/${source}/clone`
        const { uuid } = yield* ask(201, "POST", path, { destination_uuid: world.destination, name: "second" })
        const second = yield* ask(200, "GET", `/applications/${uuid}`)
        const { fqdn: _fqdn, created_at: _created, id: _id, updated_at: _updated, ...same } = before
        expect(second).toMatchObject({
          ...same,
          uuid,
          name: "second",
          domains: second.generated_domain,
          generated_domain: expect.stringContaining(uuid),
          ports_mappings: ""
        })
        expect(second.manual_webhook_secret_forgeA).toBe("hook")
        expect(second.git_repository).toBe("https://me:hush@forge.example/team/app.git")
        expect(yield* ask(200, "GET", `/applications/${uuid}/envs`)).toMatchObject([{ key: "A", comment: "c" }])
        expect(yield* ask(200, "GET", `/applications/${uuid}/tags`)).toMatchObject([{ name: "copied" }])
        const opened = yield* service.within(
          Effect.gen(function* () {
            const [variable] = yield* (yield* VariableStore).ofApplication(uuid)
            return variable === undefined ? [] : yield* Variables.open([variable])
          })
        )
        expect(opened.map(([key, value]) => [key, Redacted.value(value)])).toEqual([["A", "v"]])
        expect(yield* ask(400, "POST", path, { destination_uuid: nowhere })).toMatchObject({
          errors: { destination_uuid: ["There is no such destination."] }
        })
        yield* ask(400, "POST", path, { destination_uuid: world.destination, clone_volumes: true })
        yield* ask(404, "POST", `/applications/${nowhere}/clone`, {})
      })
    )

    it.effect("manage storages of applications, by UUID or number", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        const application = yield* world.create("dockerimage")
        const path = `/applications/${application}/storages`
        const data = { name: "data", mount_path: "/var/lib/data" }
        const made = yield* ask(201, "POST", path, { ...data, type: "persistent" })
        const shown = {
          ...data,
          uuid: made.uuid,
          resource_uuid: application,
          host_path: null,
          volume_name: `${application}_data`
        }
        expect(made).toMatchObject(shown)
        yield* ask(409, "POST", path, { ...data, type: "persistent", name: "other" })
        for (const wrong of [
          { type: "folder" },
          { name: "../x" },
          { mount_path: "data" },
          { mount_path: "/a/../../b" },
          { mount_path: "/" },
          { host_path: "/etc" }
        ]) {
          const body = { type: "persistent", name: "more", mount_path: "/more", ...wrong }
          expect(Object.keys((yield* ask(400, "POST", path, body)).errors)).toEqual(Object.keys(wrong))
        }
        const second = yield* ask(201, "POST", path, { type: "persistent", name: "more", mount_path: "/more" })
        yield* ask(409, "PATCH", path, { type: "persistent", id: second.id, mount_path: "/var/lib/data" })
        const moved = { type: "persistent", id: second.id, name: "most" }
        expect(yield* ask(200, "PATCH", path, moved)).toMatchObject({ name: "most", mount_path: "/more" })
        yield* ask(400, "PATCH", path, { type: "persistent", name: "x" })
        yield* ask(404, "PATCH", path, { type: "persistent", uuid: nowhere, name: "x" })
        expect(yield* ask(200, "GET", path)).toMatchObject({
          persistent_storages: [shown, { name: "most" }],
          file_storages: []
        })
        const { uuid } = yield* ask(201, "POST", `/applications/${application}/clone`, {
          destination_uuid: world.destination
        })
        const cloned = yield* ask(200, "GET", `/applications/${uuid}/storages`)
        expect(cloned.persistent_storages).toMatchObject([{ volume_name: `${uuid}_data` }, { name: "most" }])
        yield* ask(404, "DELETE", `/applications/${uuid}/storages/${made.uuid}`)
        yield* ask(200, "DELETE", `${path}/${made.uuid}`)
        yield* ask(404, "DELETE", `${path}/${made.uuid}`)
      })
    )

    it.effect("share variables of the team, a project, an environment or a server, and can't read the values", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask, within } = service
        const owners = {
          team: "/team/envs",
          project: `/projects/${world.project}/envs`,
          environment: `/projects/${world.project}/environments/production/envs`,
          server: `/servers/${world.server}/envs`
        }
        for (const [type, path] of Object.entries(owners)) {
          const made = yield* ask(201, "POST", path, { key: "HOST", value: `secret ${type}`, comment: "c" })
          const shown = { type, key: "HOST", value: null, comment: "c", is_literal: false, is_shown_once: false }
          expect(made).toMatchObject(shown)
          expect(yield* ask(409, "POST", path, { key: "HOST", value: "" })).toEqual({
            message: "This shared variable key is already taken."
          })
          yield* ask(400, "POST", path, { key: "1", value: 5 })
          const changed = yield* ask(200, "PATCH", `${path}/${made.id}`, { value: `new ${type}`, comment: null })
          expect(changed).toMatchObject({ ...shown, uuid: made.uuid, comment: null })
          expect(yield* ask(200, "GET", path)).toEqual([changed])
          const other = yield* ask(201, "POST", path, { key: "OTHER" })
          yield* ask(409, "PATCH", `${path}/${other.uuid}`, { key: "HOST" })
          yield* ask(200, "DELETE", `${path}/${other.uuid}`)
          yield* ask(404, "DELETE", `${path}/${other.id}`)
          yield* ask(404, "PATCH", `${path}/${other.id}`, { value: 5 })
        }
        const [{ id }] = yield* ask(200, "GET", owners.team)
        yield* ask(404, "DELETE", `${owners.server}/${id}`)
        for (const path of [`/projects/${nowhere}/envs`, `/servers/${nowhere}/envs`]) {
          yield* ask(404, "GET", path)
          yield* ask(404, "POST", path, { key: 5 })
        }
        yield* ask(404, "GET", `/projects/${world.project}/environments/none/envs`)
        const kept = yield* within(
          Effect.flatMap(SharedVariableStore, (store) => store.ofOwners([{ scope: "team", owner: "" }]))
        )
        expect(JSON.stringify(kept)).not.toContain("new team")
      })
    )

    it.effect("manage scheduled tasks of applications, and read their executions", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask, mint, send, within } = service
        const application = yield* world.create("dockerimage")
        const path = `/applications/${application}/scheduled-tasks`
        const task = { name: "nightly", command: "sh -c 'echo \"$HOME\"'", frequency: "0 3 * * *" }
        const made = yield* ask(201, "POST", path, task)
        const shown = { ...task, container: null, timeout: 300, enabled: true }
        expect(made).toMatchObject({ ...shown, next_run_at: expect.stringMatching(/T03:00:00\.000Z$/) })
        for (const wrong of [
          { frequency: "* * * * * *" },
          { frequency: "0 0 30 2 *" },
          { frequency: "often" },
          { command: "" },
          { command: "echo 'a" },
          { timeout: 0 },
          { name: "" }
        ]) {
          const { errors } = yield* ask(400, "POST", path, { ...task, ...wrong })
          expect(Object.keys(errors), JSON.stringify(wrong)).toEqual(Object.keys(wrong))
          yield* ask(400, "PATCH", `${path}/${made.uuid}`, wrong)
        }
        const paused = yield* ask(200, "PATCH", `${path}/${made.uuid}`, { enabled: false, container: "web" })
        expect(paused).toMatchObject({ ...shown, enabled: false, container: "web", next_run_at: null })
        expect(yield* ask(200, "GET", path)).toEqual([paused])
        const { text: token } = yield* mint("write")
        const execute = `/api/v1${path}/${made.uuid}/execute`
        expect((yield* send("POST", execute, { token })).status).toBe(403)
        expect(yield* ask(200, "POST", `${path}/${made.uuid}/execute`)).toEqual({
          message: "Scheduled task execution queued."
        })
        const begun = {
          uuid: "e".repeat(24) as ExecutionUuid,
          taskUuid: made.uuid,
          status: "success",
          message: "done",
          startedAt: "2026-01-02T03:00:00.000Z",
          finishedAt: "2026-01-02T03:00:01.500Z"
        } as const
        yield* within(Effect.flatMap(ScheduledTaskStore, (store) => store.begin(made.uuid, null, begun)))
        expect(yield* ask(200, "GET", `${path}/${made.uuid}/executions`)).toEqual([
          {
            uuid: begun.uuid,
            status: "success",
            message: "done",
            retry_count: 0,
            duration: 1.5,
            started_at: begun.startedAt,
            finished_at: begun.finishedAt,
            created_at: begun.startedAt,
            updated_at: begun.finishedAt
          }
        ])
        const other = yield* world.create("dockerimage")
        for (const [method, rest] of [
          ["PATCH", ""],
          ["DELETE", ""],
          ["POST", "/execute"],
          ["GET", "/executions"]
        ] as const) {
          const body = method === "PATCH" ? {} : undefined
          yield* ask(404, method, `/applications/${other}/scheduled-tasks/${made.uuid}${rest}`, body)
        }
        yield* ask(200, "DELETE", `${path}/${made.uuid}`)
        yield* ask(404, "DELETE", `${path}/${made.uuid}`)
        expect(yield* ask(200, "GET", path)).toEqual([])
      })
    )

    it.effect(
      "rename a key by its private key, migrate applications, and list the applications of an environment",
      () =>
        Effect.gen(function* () {
          const { service, world } = yield* Api
          const { ask } = service
          const text = newKey()
          const { uuid } = yield* ask(201, "POST", "/security/keys", { name: "one", private_key: text })
          expect(yield* ask(201, "PATCH", "/security/keys", { name: "two", private_key: text })).toEqual({ uuid })
          expect(yield* ask(200, "GET", `/security/keys/${uuid}`)).toMatchObject({ name: "two" })
          yield* ask(404, "PATCH", "/security/keys", { name: "two", private_key: newKey() })
          yield* ask(400, "PATCH", "/security/keys", { name: "two", private_key: "none" })

          const application = yield* world.create("dockerimage")
          const path = `/applications/${application}`
          const server = (yield* ask(201, "POST", "/servers", { name: "elsewhere", ip: "192.0.2.77" })).uuid
          const [there] = yield* ask(200, "GET", `/servers/${server}/destinations`)
          expect(yield* ask(200, "GET", `${path}/destinations`)).toMatchObject([{ uuid: world.destination }])
          const migrated = yield* ask(200, "POST", `${path}/migrate`, { destination_uuid: there.uuid })
          expect(migrated).toEqual({
            message: "Application migrated; its next deployment uses the new server.",
            uuid: application
          })
          expect(yield* ask(200, "GET", `${path}/destinations`)).toMatchObject([{ uuid: there.uuid }])
          expect(yield* ask(200, "GET", path)).toMatchObject({ server_uuid: server })
          yield* ask(400, "POST", `${path}/migrate`, { destination_uuid: nowhere })
          yield* ask(400, "POST", `${path}/migrate`, { destination_uuid: world.destination, migrate_volumes: true })
          yield* ask(404, "POST", `/applications/${nowhere}/migrate`, {})

          const project = (yield* ask(201, "POST", "/projects", { name: "another" })).uuid
          const inside = `/projects/${project}/environments`
          const { uuid: environment } = yield* ask(201, "POST", inside, { name: "shown" })
          yield* ask(200, "POST", `${path}/move`, { environment_uuid: environment })
          for (const place of ["environments/shown", environment]) {
            expect(yield* ask(200, "GET", `/projects/${project}/${place}`)).toMatchObject({
              name: "shown",
              applications: [
                { uuid: application, type: "application", status: "exited:unhealthy", server_uuid: server }
              ]
            })
          }
        })
    )

    it.effect("can send fields with a fixed value, and get an error for any other value", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        const same = {
          is_pr_deployments_public_enabled: false,
          is_git_shallow_clone_enabled: true,
          is_gpu_enabled: false,
          gpu_count: null,
          max_restart_count: 0
        }
        const uuid = yield* world.create("public", same as object)
        expect(yield* ask(200, "GET", `/applications/${uuid}`)).toMatchObject(same)
        expect(yield* ask(200, "PATCH", `/applications/${uuid}`, same)).toMatchObject(same)
        for (const [field, value] of Object.entries({
          is_pr_deployments_public_enabled: true,
          is_git_shallow_clone_enabled: false,
          gpu_count: "1",
          max_restart_count: 5
        })) {
          const { errors } = yield* ask(400, "PATCH", `/applications/${uuid}`, { [field]: value })
          expect(Object.keys(errors)).toEqual([field])
        }
        const { errors } = yield* ask(400, "POST", "/applications/public", {
          ...world.minimal.public,
          use_build_secrets: true
        })
        expect(errors).toEqual({
          use_build_secrets: ["Builds get variables as arguments; separate build secrets are not supported."]
        })
      })
    )

    it.effect("can describe variables, and choose whether the build or the container gets a variable", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        const application = yield* world.create("dockerimage")
        const path = `/applications/${application}/envs`
        const { uuid } = yield* ask(201, "POST", path, {
          key: "A",
          value: "secret",
          comment: "for a",
          is_runtime: false
        })
        const shown = {
          uuid,
          key: "A",
          value: "secret",
          real_value: "secret",
          comment: "for a",
          resourceable_type: "application",
          resourceable_uuid: application,
          is_buildtime: true,
          is_runtime: false,
          is_literal: false
        }
        expect(yield* ask(200, "GET", path)).toMatchObject([shown])
        const changed = { key: "A", value: "secret", comment: null, is_buildtime: false, is_runtime: true }
        expect(yield* ask(201, "PATCH", path, changed)).toMatchObject({ ...shown, ...changed })
        expect(yield* ask(201, "PATCH", path, { key: "A", value: "b" })).toMatchObject({ is_buildtime: false })
        yield* ask(400, "POST", path, { key: "B", value: "", comment: "c".repeat(257) })
      })
    )

    it.effect("set variables in bulk up to the limit of an application (I25)", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        const path = `/applications/${yield* world.create("dockerimage")}/envs`
        const many = (count: number) => Array.from({ length: count }, (_, n) => ({ key: `V${n}`, value: "v" }))
        yield* ask(201, "PATCH", `${path}/bulk`, { data: many(400) })
        yield* ask(201, "PATCH", `${path}/bulk`, { data: many(600) })
        yield* ask(201, "PATCH", `${path}/bulk`, { data: many(999).slice(600) })
        const most = ["An application has at most 1000 variables."]
        const both = {
          data: [
            { key: "ONE", value: "1" },
            { key: "TWO", value: "2" }
          ]
        }
        expect((yield* ask(400, "PATCH", `${path}/bulk`, both)).errors).toEqual({ data: most })
        yield* ask(201, "POST", path, { key: "LAST", value: "v" })
        expect((yield* ask(400, "POST", path, { key: "MORE", value: "v" })).errors).toEqual({ key: most })
        expect(yield* ask(200, "GET", path)).toHaveLength(1_000)
        yield* ask(201, "PATCH", `${path}/bulk`, { data: many(10) })
      })
    )

    it.effect("find projects with environments and servers with settings, and validate servers immediately", () =>
      Effect.gen(function* () {
        const { ask, project, server } = (yield* Api).service
        expect((yield* ask(200, "GET", `/projects/${project}`)).environments).toMatchObject([{ name: "production" }])
        expect((yield* ask(200, "GET", `/servers/${server}`)).settings).toEqual({
          is_reachable: false,
          is_usable: false,
          is_build_server: false,
          wildcard_domain: null,
          concurrent_builds: 2,
          deployment_queue_limit: 25,
          dynamic_timeout: 3600,
          connection_timeout: 10,
          server_disk_usage_check_frequency: "0 23 * * *",
          server_disk_usage_notification_threshold: 80,
          validated_at: null,
          validation_result: null,
          is_terminal_enabled: false,
          can_install_engine: false
        })
        const { settings } = yield* ask(201, "PATCH", `/servers/${server}`, { is_terminal_enabled: true })
        expect(settings.is_terminal_enabled).toBe(true)
        const validated = yield* ask(201, "PATCH", `/servers/${server}`, { instant_validate: true })
        expect(validated.settings).toMatchObject({ is_reachable: true, is_usable: true })
        expect(validated.settings.validation_result).toMatch(/answers/)
        expect((yield* ask(200, "GET", `/servers/${server}`)).settings).toEqual(validated.settings)
        const { uuid } = yield* ask(201, "POST", "/servers", {
          name: "here",
          ip: "127.0.0.1",
          instant_validate: true
        })
        expect((yield* ask(200, "GET", `/servers/${uuid}`)).settings.validated_at).not.toBeNull()
      })
    )

    it.effect("read and choose the proxy of a server", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const { ask } = service
        const { uuid } = yield* ask(201, "POST", "/servers", { name: "proxied", ip: "192.0.2.7" })
        const path = `/servers/${uuid}/proxy`
        const never = { status: null, configuration: null }
        const always = { ...never, redirect_enabled: false, redirect_url: null, generate_exact_labels: false }
        expect(yield* ask(200, "GET", path)).toEqual({ proxy_type: "caddy", ...always })
        const sent = { proxy_type: "NONE", redirect_enabled: false }
        expect(yield* ask(200, "PATCH", path, sent)).toEqual({ proxy_type: "none", ...always })
        expect(yield* ask(200, "GET", `/servers/${uuid}`)).toMatchObject({
          proxy_type: "none",
          proxy: { type: "none" }
        })
        const wrong = { proxy_type: "nginx", redirect_enabled: true }
        expect(Object.keys((yield* ask(400, "PATCH", path, wrong)).errors)).toEqual(Object.keys(wrong))
        yield* ask(404, "PATCH", `/servers/${nowhere}/proxy`, wrong)
      })
    )

    it.effect("choose the cleanup schedule of a server, run a cleanup, and read its result", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const { ask } = service
        const { uuid } = yield* ask(201, "POST", "/servers", { name: "cleaned", ip: "192.0.2.8" })
        const path = `/servers/${uuid}/docker-cleanup`
        const always = {
          docker_cleanup_threshold: 1,
          force_docker_cleanup: true,
          delete_unused_volumes: false,
          delete_unused_networks: false,
          disable_application_image_retention: false
        }
        expect(yield* ask(200, "GET", path)).toEqual({ docker_cleanup_frequency: "hourly", ...always })
        const sent = { docker_cleanup_frequency: "0 3 * * *", delete_unused_volumes: false }
        expect(yield* ask(200, "PATCH", path, sent)).toEqual({ docker_cleanup_frequency: "0 3 * * *", ...always })
        const wrong = {
          docker_cleanup_frequency: "sometimes",
          docker_cleanup_threshold: 80,
          delete_unused_volumes: true
        }
        expect(Object.keys((yield* ask(400, "PATCH", path, wrong)).errors).sort()).toEqual(Object.keys(wrong).sort())
        expect(yield* ask(200, "GET", `${path}/executions`)).toEqual([])
        for (const body of [{}, { delete_unused_networks: false }]) {
          expect(yield* ask(200, "POST", `${path}/run`, body)).toEqual({ message: "The server is cleaned up." })
        }
        // A queued cleanup is not queued again.
        expect(yield* ask(200, "GET", `${path}/executions`)).toEqual([
          {
            uuid: expect.stringMatching(/^[a-z0-9]{24}$/),
            status: "queued",
            message: null,
            finished_at: null,
            created_at: expect.any(String),
            updated_at: expect.any(String)
          }
        ])
        for (const [method, end] of [
          ["GET", ""],
          ["PATCH", ""],
          ["POST", "/run"],
          ["GET", "/executions"]
        ] as const) {
          yield* ask(404, method, `/servers/${nowhere}/docker-cleanup${end}`, method === "GET" ? undefined : {})
        }
      })
    )

    it.effect("list all resources, the resources of a server, and the domains of a server", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        const { uuid: other } = yield* ask(201, "POST", "/servers", { name: "other", ip: "10.1.2.3" })
        const there = yield* world.create("dockerimage", {
          server_uuid: other,
          name: "there",
          domains: "https://B.example/x,http://a.example:8080,https://b.example/y"
        })
        const resource = {
          uuid: there,
          name: "there",
          type: "application",
          status: "exited:unhealthy",
          fqdn: "https://B.example/x,http://a.example:8080,https://b.example/y",
          server_uuid: other
        }
        expect(yield* ask(200, "GET", `/servers/${other}/resources`)).toMatchObject([resource])
        expect((yield* ask(200, "GET", `/servers/${other}?resources=true`)).resources).toEqual([
          { uuid: there, name: "there", type: "application", status: "exited:unhealthy" }
        ])
        expect(yield* ask(200, "GET", `/servers/${other}`)).not.toHaveProperty("resources")
        expect(yield* ask(200, "GET", `/servers/${other}/domains`)).toEqual([
          { ip: "10.1.2.3", domains: ["a.example", "b.example"] }
        ])
        const all = yield* ask(200, "GET", "/resources")
        expect(all).toHaveLength((yield* ask(200, "GET", "/applications")).length)
        expect(all).toContainEqual(expect.objectContaining(resource))
        yield* ask(404, "GET", `/servers/${nowhere}/resources`)
        yield* ask(404, "GET", `/servers/${nowhere}/domains`)
      })
    )

    it.effect("find, create, rename and delete tags and destinations directly", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask, server } = service
        const tag = yield* ask(201, "POST", "/tags", { name: "Blue" })
        yield* ask(409, "POST", "/tags", { name: "bLUE" })
        expect(yield* ask(200, "GET", "/tags")).toContainEqual(tag)
        expect(yield* ask(200, "PATCH", `/tags/${tag.uuid}`, { name: "green" })).toMatchObject({ name: "green" })
        const application = yield* world.create("dockerimage")
        yield* ask(201, "POST", `/applications/${application}/tags`, { tag_name: "green" })
        yield* ask(200, "DELETE", `/tags/${tag.uuid}`)
        yield* ask(404, "GET", `/tags/${tag.uuid}`)
        yield* ask(404, "PATCH", `/tags/${tag.uuid}`, {})
        expect(yield* ask(200, "GET", `/applications/${application}/tags`)).toEqual([])

        const made = yield* ask(201, "POST", `/servers/${server}/destinations`, { network: "apart" })
        expect(made.type).toBe("standalone")
        expect(yield* ask(200, "GET", "/destinations")).toContainEqual(made)
        expect(yield* ask(200, "GET", `/destinations/${made.uuid}`)).toEqual(made)
        expect((yield* ask(200, "PATCH", `/destinations/${made.uuid}`, { name: "new" })).name).toBe("new")
        yield* ask(404, "PATCH", `/destinations/${nowhere}`, { name: 5 })
        yield* ask(409, "DELETE", `/destinations/${world.destination}`)
        yield* ask(200, "DELETE", `/destinations/${made.uuid}`)
        yield* ask(404, "GET", `/destinations/${made.uuid}`)
      })
    )

    it.effect("find the single team of the instance, and read the health of the instance", () =>
      Effect.gen(function* () {
        const { ask, send } = (yield* Api).service
        const [team, ...more] = yield* ask(200, "GET", "/teams")
        expect([team.id, more]).toEqual([0, []])
        expect(team.created_at).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
        for (const path of ["/team", "/teams/0", "/teams/current"]) expect(yield* ask(200, "GET", path)).toEqual(team)
        for (const path of ["/team/members", "/teams/0/members", "/teams/current/members"]) {
          expect(yield* ask(200, "GET", path)).toEqual([])
        }
        for (const id of ["1", "x", "-0"]) yield* ask(404, "GET", `/teams/${id}`)
        for (const path of ["/health", "/api/v1/health"]) {
          const { headers, status, text } = yield* send("GET", path, { token: undefined })
          expect([status, text, headers.get("content-type")]).toEqual([200, "OK", "text/plain"])
        }
      })
    )
  })
}
