import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"
import { newKey } from "../support/harness.ts"

const stamps = {
  id: expect.any(Number),
  uuid: expect.stringMatching(/^[a-z0-9]{24}$/),
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
}
const missing = "aaaaaaaaaaaaaaaaaaaaaaaa"

for (const store of storeNames) {
  withApi(store)(`over ${store}`, (it) => {
    // Prevents: the endpoint reports "Environment variable deleted." for a missing "Shared variable".
    it.effect("messages about a deleted or missing shared variable call it a shared variable", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const { uuid } = yield* service.ask(201, "POST", "/team/envs", { key: "GOES", value: "x" })
        const path = `/team/envs/${uuid}`
        expect(yield* service.ask(200, "DELETE", path)).toEqual({ message: "Shared variable deleted." })
        expect(yield* service.ask(404, "DELETE", path)).toEqual({ message: "Shared variable not found." })
      })
    )

    it.effect("every creation returns the Location of the new resource", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const service_ = { project_uuid: world.project, server_uuid: world.server, environment_uuid: world.environment }
        // A new server: applications on the world's server need no choice of a destination.
        const server = yield* service.ask(201, "POST", "/servers", { name: "located", ip: "10.0.0.2" })
        for (const [path, body] of [
          ["/projects", { name: "x" }],
          [`/projects/${world.project}/environments`, { name: "located" }],
          ["/servers", { name: "x", ip: "10.0.0.1" }],
          ["/security/keys", { private_key: newKey() }],
          [
            "/forge-apps",
            {
              name: "x",
              html_url: "https://forge.example",
              app_id: 1,
              installation_id: 1,
              client_id: "x",
              client_secret: "x",
              private_key_uuid: world.key
            }
          ],
          ["/services", { ...service_, name: "x", docker_compose_raw: "x" }],
          ["/tags", { name: "located" }],
          ["/tokens", { name: "x", abilities: ["read"] }],
          ["/applications/dockerimage", world.minimal.dockerimage],
          [`/servers/${server.uuid}/destinations`, { name: "located", network: "located" }]
        ] as const) {
          const answer = yield* service.send("POST", `/api/v1${path}`, { body })
          expect(answer.status, answer.text).toBe(201)
          const location = answer.headers.get("location") ?? ""
          const got = yield* service.send("GET", location)
          expect([got.status, got.json.uuid], `${path} at ${location}`).toEqual([200, answer.json.uuid])
        }
      })
    )

    it.effect(
      "I6: environments have case-insensitive names, and can't be deleted while an application runs there",
      () =>
        Effect.gen(function* () {
          const { service, world } = yield* Api
          const { ask } = service
          const { uuid } = yield* ask(201, "POST", "/projects", { name: "Proj", description: "d" })
          expect(yield* ask(200, "GET", `/projects/${uuid}`)).toEqual({
            ...stamps,
            uuid,
            name: "Proj",
            description: "d",
            environments: [expect.objectContaining({ name: "production" })]
          })
          expect(yield* ask(201, "PATCH", `/projects/${uuid}`, { description: "" })).toMatchObject({
            name: "Proj",
            description: ""
          })
          const [production, ...others] = yield* ask(200, "GET", `/projects/${uuid}/environments`)
          expect([production, others]).toEqual([
            {
              ...stamps,
              project_id: expect.any(Number),
              project_uuid: uuid,
              name: "production",
              description: "",
              is_protected: false
            },
            []
          ])
          const taken = { message: "This environment name is already taken." }
          expect(yield* ask(409, "POST", `/projects/${uuid}/environments`, { name: "PRODUCTION" })).toEqual(taken)
          const { uuid: staging } = yield* ask(201, "POST", `/projects/${uuid}/environments`, { name: "Stäging" })
          expect(yield* ask(409, "PATCH", `/projects/${uuid}/environments/${staging}`, { name: "Production" })).toEqual(
            taken
          )
          for (const path of [`environments/${staging}`, "environments/ST%C3%84GING", staging, "st%C3%A4ging"]) {
            expect(yield* ask(200, "GET", `/projects/${uuid}/${path}`)).toMatchObject({
              uuid: staging,
              name: "Stäging"
            })
          }
          yield* ask(404, "GET", `/projects/${world.project}/environments/${staging}`)
          yield* ask(404, "PATCH", `/projects/${world.project}/environments/${staging}`, { name: "x" })
          yield* ask(404, "DELETE", `/projects/${world.project}/environments/${staging}`)
          const app = yield* world.create("dockerimage", { project_uuid: uuid, environment_name: "STäGING" })
          yield* ask(200, "PATCH", `/projects/${uuid}/environments/${staging}`, { name: "renamed" })
          expect((yield* ask(200, "GET", `/applications/${app}`)).environment_name, "the name as it is now").toBe(
            "renamed"
          )
          const inUse = { message: "Still in use by at least one application; nothing was deleted." }
          expect(yield* ask(409, "DELETE", `/projects/${uuid}`)).toEqual(inUse)
          expect(yield* ask(409, "DELETE", `/projects/${uuid}/environments/renamed`)).toEqual(inUse)
          yield* ask(200, "DELETE", `/applications/${app}`)
          yield* ask(200, "DELETE", `/projects/${uuid}/environments/renamed`)
          yield* ask(200, "DELETE", `/projects/${uuid}`)
          expect(yield* ask(404, "GET", `/projects/${uuid}`)).toEqual({ message: "Project not found." })
          expect(yield* ask(404, "GET", `/projects/${uuid}/environments`)).toEqual({ message: "Project not found." })
        })
    )

    it.effect("servers have destinations, and neither can be deleted while an application runs on the server", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        const sent = {
          name: "Srv",
          ip: "2001:DB8::1",
          description: "d",
          port: 2222,
          user: "deploy",
          private_key_uuid: world.key,
          is_build_server: true,
          proxy_type: "traefik",
          wildcard_domain: "Apps.Example",
          concurrent_builds: 3,
          deployment_queue_limit: 4,
          dynamic_timeout: 5,
          connection_timeout: 6,
          engine_transport: "tls",
          engine_socket: "/run/podman/podman.sock",
          engine_port: 2377,
          engine_authority: "-----BEGIN CERTIFICATE-----\na",
          engine_certificate: "-----BEGIN CERTIFICATE-----\nb"
        }
        const key = { engine_key: "-----BEGIN EC PRIVATE KEY-----\nc" }
        expect((yield* ask(400, "POST", "/servers", { ...sent, engine_certificate: null })).errors).toEqual({
          engine_certificate: ["This field is required."],
          engine_key: ["This field is required."]
        })
        const { uuid } = yield* ask(201, "POST", "/servers", { ...sent, ...key })
        const always = {
          disk_check: null,
          generated_domain: "http://{uuid}.apps.example",
          high_disk_usage_notification_sent: false,
          log_drain_notification_sent: false,
          proxy: { type: "traefik" },
          swarm_cluster: null,
          transfer: null,
          unreachable_count: 0,
          unreachable_notification_sent: false,
          validation_logs: null
        }
        const settings = {
          concurrent_builds: 3,
          is_reachable: false,
          server_disk_usage_check_frequency: "0 23 * * *",
          server_disk_usage_notification_threshold: 80
        }
        expect(yield* ask(200, "GET", `/servers/${uuid}`)).toEqual({
          ...stamps,
          ...sent,
          ...always,
          settings: expect.objectContaining(settings),
          uuid,
          disk_use: { images: 0, containers: 0, volumes: 0, build_cache: 0 }
        })
        expect(yield* ask(201, "PATCH", `/servers/${uuid}`, sent)).toEqual({
          ...stamps,
          ...sent,
          ...always,
          settings: expect.objectContaining(settings),
          uuid
        })
        const disk = { server_disk_usage_check_frequency: "hourly", server_disk_usage_notification_threshold: 90 }
        expect((yield* ask(201, "PATCH", `/servers/${uuid}`, disk)).settings).toMatchObject(disk)
        const wrong = { server_disk_usage_check_frequency: "often", server_disk_usage_notification_threshold: 101 }
        expect(Object.keys((yield* ask(400, "PATCH", `/servers/${uuid}`, wrong)).errors)).toEqual(Object.keys(wrong))
        expect(
          yield* ask(201, "PATCH", `/servers/${uuid}`, { private_key_uuid: null, wildcard_domain: null })
        ).toMatchObject({
          private_key_uuid: null,
          wildcard_domain: null,
          port: 2222
        })
        expect((yield* ask(400, "PATCH", `/servers/${uuid}`, { engine_key: null })).errors).toEqual({
          engine_key: ["This field is required."]
        })
        yield* ask(201, "PATCH", `/servers/${uuid}`, { engine_transport: "ssh", engine_key: null })
        for (const ip of [
          "256.1.1.1",
          "1.2.3",
          "1",
          "0x7f.1",
          "::::",
          "1:2",
          "a..b",
          "-a",
          "a/b",
          "[::1]",
          "fe80::1%eth0"
        ]) {
          yield* ask(400, "PATCH", `/servers/${uuid}`, { ip })
        }
        for (const ip of ["10.0.0.1", "::1", "host", "my-host.example"])
          yield* ask(201, "PATCH", `/servers/${uuid}`, { ip })
        const [first] = yield* ask(200, "GET", `/servers/${uuid}/destinations`)
        expect(first).toEqual({ ...stamps, server_uuid: uuid, name: "slipway", network: "slipway", type: "standalone" })
        yield* ask(409, "POST", `/servers/${uuid}/destinations`, { network: "SLIPWAY" })
        for (const network of ["host", "none", "Host"]) {
          yield* ask(400, "POST", `/servers/${uuid}/destinations`, { network })
        }
        const second = yield* ask(201, "POST", `/servers/${uuid}/destinations`, { name: "Second", network: "second" })
        const unclear = yield* ask(400, "POST", "/applications/dockerimage", {
          ...world.minimal.dockerimage,
          server_uuid: uuid
        })
        expect(unclear.errors.destination_uuid[0]).toContain(`${second.uuid} (Second)`)
        const app = yield* world.create("dockerimage", { server_uuid: uuid, destination_uuid: second.uuid })
        yield* ask(409, "DELETE", `/servers/${uuid}`)
        yield* ask(409, "DELETE", `/servers/${uuid}/destinations/${second.uuid}`)
        yield* ask(404, "DELETE", `/servers/${world.server}/destinations/${second.uuid}`)
        yield* ask(200, "DELETE", `/servers/${uuid}/destinations/${first.uuid}`)
        yield* ask(200, "DELETE", `/applications/${app}`)
        yield* ask(200, "DELETE", `/servers/${uuid}`)
        expect(yield* ask(404, "GET", `/servers/${uuid}/destinations`)).toEqual({ message: "Server not found." })
      })
    )

    it.effect("an application moves between projects, environments, servers and destinations", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        const uuid = yield* world.create("public", { domains: "http://moving.example" })
        const place = ({
          project_uuid,
          environment_name,
          environment_uuid,
          server_uuid,
          destination_uuid
        }: Record<string, unknown>) => ({
          project_uuid,
          environment_name,
          environment_uuid,
          server_uuid,
          destination_uuid
        })
        const start = place(yield* ask(200, "GET", `/applications/${uuid}`))
        const move = (body: object) => Effect.map(ask(200, "PATCH", `/applications/${uuid}`, body), place)
        const refuse = (body: object) =>
          Effect.map(ask(400, "PATCH", `/applications/${uuid}`, body), ({ errors }) => Object.keys(errors).sort())

        const { uuid: project } = yield* ask(201, "POST", "/projects", { name: "target" })
        const [{ uuid: production }] = yield* ask(200, "GET", `/projects/${project}/environments`)
        const { uuid: staging } = yield* ask(201, "POST", `/projects/${project}/environments`, { name: "staging" })
        const there = { ...start, project_uuid: project, environment_uuid: production }
        expect(yield* move({ project_uuid: project }), "to the environment of the same name").toEqual(there)
        const inStaging = { ...there, environment_uuid: staging, environment_name: "staging" }
        expect(yield* move({ environment_name: "STAGING" })).toEqual(inStaging)
        expect(yield* refuse({ project_uuid: world.project }), "no staging there").toEqual(["environment_name"])
        expect(yield* refuse({ environment_uuid: world.environment })).toEqual(["environment_uuid"])
        expect(yield* move({ project_uuid: world.project, environment_uuid: world.environment })).toEqual(start)

        const { uuid: server } = yield* ask(201, "POST", "/servers", { name: "target", ip: "10.0.0.2" })
        const [{ uuid: only }] = yield* ask(200, "GET", `/servers/${server}/destinations`)
        expect(yield* refuse({ destination_uuid: only })).toEqual(["destination_uuid"])
        expect(yield* move({ server_uuid: server }), "to its only destination").toEqual({
          ...start,
          server_uuid: server,
          destination_uuid: only
        })
        const { uuid: second } = yield* ask(201, "POST", `/servers/${server}/destinations`, { network: "second" })
        expect(yield* move({ destination_uuid: second })).toEqual({
          ...start,
          server_uuid: server,
          destination_uuid: second
        })
        expect(yield* refuse({ server_uuid: missing })).toEqual(["server_uuid"])
        expect(yield* move(start)).toEqual(start)
        expect((yield* ask(200, "GET", `/applications/${uuid}`)).domains).toBe("http://moving.example")
      })
    )

    it.effect("keys return only their public half, and can't be deleted while in use", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        const text = newKey()
        const { uuid } = yield* ask(201, "POST", "/security/keys", { name: "k", description: "d", private_key: text })
        const shown = yield* ask(200, "GET", `/security/keys/${uuid}`)
        expect(shown).toEqual({
          ...stamps,
          uuid,
          name: "k",
          description: "d",
          team_id: 0,
          public_key: expect.stringMatching(/^ecdsa-sha2-nistp256 /),
          fingerprint: expect.stringMatching(/^SHA256:/),
          is_git_related: false,
          private_key: null
        })
        const changed = yield* ask(200, "PATCH", `/security/keys/${uuid}`, { private_key: newKey() })
        expect(changed.fingerprint).not.toBe(shown.fingerprint)
        yield* ask(400, "PATCH", `/security/keys/${uuid}`, { private_key: text.slice(0, 80) })
        expect(yield* ask(200, "GET", `/security/keys/${uuid}`)).toEqual(changed)
        expect((yield* ask(409, "DELETE", `/security/keys/${world.key}`)).message).toMatch(
          /^Still in use by at least one/
        )
        yield* ask(200, "DELETE", `/security/keys/${uuid}`)
        expect(yield* ask(404, "DELETE", `/security/keys/${uuid}`)).toEqual({ message: "Private key not found." })
      })
    )

    it.effect(
      "app installations are returned without their secrets, and can't be deleted while an application uses them",
      () =>
        Effect.gen(function* () {
          const { service, world } = yield* Api
          const { ask } = service
          const key = yield* ask(201, "POST", "/security/keys", { private_key: newKey() })
          const plain = {
            name: "App",
            organization: "team",
            html_url: "https://Forge.example/",
            api_url: "https://api.forge.example/v3",
            custom_user: "forge",
            custom_port: 2222,
            app_id: 11,
            installation_id: 12,
            client_id: "id",
            private_key_uuid: key.uuid
          }
          const secrets = { client_secret: "cs 🤫", webhook_secret: "ws 🤫" }
          const { uuid } = yield* ask(201, "POST", "/forge-apps", { ...plain, ...secrets })
          expect(yield* ask(200, "GET", `/forge-apps/${uuid}`)).toEqual({ ...stamps, ...plain, uuid })
          expect(yield* ask(200, "PATCH", `/forge-apps/${uuid}`, { ...plain, webhook_secret: null })).toEqual({
            ...stamps,
            ...plain,
            uuid
          })
          const { uuid: least } = yield* ask(201, "POST", "/forge-apps", {
            ...{
              name: "b",
              html_url: "https://forge.example/",
              app_id: 1,
              installation_id: 2,
              client_id: "x",
              client_secret: "y"
            },
            private_key_uuid: world.key
          })
          expect(yield* ask(200, "GET", `/forge-apps/${least}`)).toMatchObject({
            organization: null,
            api_url: "https://forge.example/api/v1",
            custom_user: "git",
            custom_port: 22
          })
          const app = yield* world.create("private-forge-app", { forge_app_uuid: uuid })
          yield* ask(409, "DELETE", `/forge-apps/${uuid}`)
          yield* ask(200, "PATCH", `/applications/${app}`, { forge_app_uuid: least })
          yield* ask(200, "DELETE", `/forge-apps/${uuid}`)
          expect(yield* ask(404, "GET", `/forge-apps/${uuid}`)).toEqual({ message: "App installation not found." })
        })
    )

    it.effect("tags are added once, ignoring case, listed by name and removed", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        const uuid = yield* world.create("dockerimage")
        const names = (tags: ReadonlyArray<{ name: string }>) => tags.map(({ name }) => name)
        expect(
          names(yield* ask(201, "POST", `/applications/${uuid}/tags`, { tag_names: ["web", "Api", "WEB"] }))
        ).toHaveLength(2)
        const tags = yield* ask(201, "POST", `/applications/${uuid}/tags`, { tag_name: "api" })
        expect(names(tags)).toHaveLength(2)
        expect(yield* ask(200, "GET", `/applications/${uuid}/tags`)).toEqual(tags)
        for (const body of [
          {},
          { tag_name: " " },
          { tag_names: [""] },
          { tag_names: Array.from({ length: 51 }, (_, n) => `t${n}`) }
        ]) {
          yield* ask(400, "POST", `/applications/${uuid}/tags`, body)
        }
        yield* ask(200, "DELETE", `/applications/${uuid}/tags/${tags[0].uuid}`)
        expect(yield* ask(404, "DELETE", `/applications/${uuid}/tags/${tags[0].uuid}`)).toEqual({
          message: "Tag not found."
        })
        expect(yield* ask(200, "GET", `/applications/${uuid}/tags`)).toEqual(tags.slice(1))
        expect(yield* ask(404, "GET", `/applications/${missing}/tags`)).toEqual({ message: "Application not found." })
      })
    )

    it.effect("instant_deploy also requires the `deploy` ability, and queues a deployment", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { text: writer } = yield* service.mint("write")
        const { text: deployer } = yield* service.mint("write", "deploy")
        const body = {
          ...world.minimal.public,
          instant_deploy: true,
          domains: "http://instant.example",
          git_commit_sha: "0a1b2c3"
        }
        const before = yield* service.dump
        const refused = yield* service.send("POST", "/api/v1/applications/public", { token: writer, body })
        expect([refused.status, refused.json]).toEqual([
          403,
          { message: "This token may not do this (application.deploy.request): tokens with `deploy` or `root` may." }
        ])
        expect(yield* service.dump).toEqual(before)
        const { uuid } = yield* service.ask(201, "POST", "/applications/public", body, { token: deployer })
        yield* service.ask(403, "PATCH", `/applications/${uuid}`, { instant_deploy: true }, { token: writer })
        yield* service.ask(200, "PATCH", `/applications/${uuid}`, { instant_deploy: false }, { token: writer })
        const mine = Effect.map(service.ask(200, "GET", "/deployments"), (all) =>
          all.filter((each: { application_uuid: string }) => each.application_uuid === uuid)
        )
        const [deployment, ...others] = yield* mine
        expect(others).toEqual([])
        expect(deployment).toEqual({
          id: stamps.id,
          deployment_uuid: stamps.uuid,
          application_id: String((yield* service.ask(200, "GET", `/applications/${uuid}`)).id),
          application_uuid: uuid,
          requested_by: null,
          approval_until: null,
          application_name: expect.any(String),
          destination_id: String((yield* service.ask(200, "GET", `/destinations/${world.destination}`)).id),
          server_id: (yield* service.ask(200, "GET", `/servers/${world.server}`)).id,
          server_uuid: world.server,
          server_name: "localhost",
          destination_uuid: world.destination,
          commit: "0a1b2c3",
          commit_message: null,
          is_api: true,
          is_webhook: false,
          force_rebuild: false,
          restart_only: false,
          rollback: false,
          action: "deploy",
          reason: null,
          image: null,
          started_at: null,
          finished_at: null,
          status: "queued",
          created_at: stamps.created_at,
          updated_at: stamps.updated_at,
          deployment_url: `/api/v1/deployments/${deployment.deployment_uuid}`,
          configuration_diff: null,
          configuration_hash: null,
          configuration_snapshot: null,
          docker_registry_image_tag: null,
          only_this_server: false,
          current_process_id: null,
          git_type: null,
          pull_request_id: 0
        })
        expect(yield* service.ask(200, "GET", `/deployments/${deployment.deployment_uuid}`)).toEqual({
          ...deployment,
          logs: "[]"
        })
        yield* service.ask(200, "DELETE", `/applications/${uuid}`)
        expect((yield* mine).map(({ status }: { status: string }) => status)).toEqual(["cancelled"])
        expect(yield* service.ask(404, "GET", `/deployments/${missing}`)).toEqual({ message: "Deployment not found." })
      })
    )

    it.effect(
      "a deletion removes the application immediately, and the API returns the deletion's flags and outcome",
      () =>
        Effect.gen(function* () {
          const { service, world } = yield* Api
          const flags = ["delete_configurations", "delete_volumes", "docker_cleanup", "delete_connected_networks"]
          const cases: ReadonlyArray<readonly [query: string, unset: ReadonlyArray<string>]> = [
            ["", []],
            [`?${flags.map((flag) => `${flag}=false`).join("&")}`, flags],
            ["?delete_volumes=0&docker_cleanup=1", ["delete_volumes"]],
            ["?delete_configurations=true&delete_connected_networks=false", ["delete_connected_networks"]]
          ]
          for (const [query, unset] of cases) {
            const uuid = yield* world.create("dockerimage", { name: "doomed" })
            for (const bad of ["delete_volumes=maybe", "delete_volumes=", "delete_volumes=true&delete_volumes=false"]) {
              const refused = yield* service.send("DELETE", `/api/v1/applications/${uuid}?${bad}`)
              expect([refused.status, Object.keys(refused.json.errors)], bad).toEqual([400, ["delete_volumes"]])
            }
            const answer = yield* service.send("DELETE", `/api/v1/applications/${uuid}${query}`)
            expect([answer.status, answer.json]).toEqual([200, { message: "Application deletion request queued." }])
            yield* service.ask(404, "GET", `/applications/${uuid}`)
            const deletion = (yield* service.send("GET", answer.headers.get("location") ?? "")).json
            expect(deletion).toEqual({
              ...stamps,
              application_uuid: uuid,
              application_name: "doomed",
              server_uuid: world.server,
              destination_uuid: world.destination,
              ...Object.fromEntries(flags.map((flag) => [flag, !unset.includes(flag)])),
              status: "queued",
              removed: [],
              left: [],
              reason: null,
              attempts: 0
            })
            expect(yield* service.ask(200, "GET", "/deletions")).toContainEqual(deletion)
          }
          expect(yield* service.ask(404, "GET", `/deletions/${missing}`)).toEqual({ message: "Deletion not found." })
        })
    )

    it.effect("I5, I7: a token is shown once, has only its abilities, and is rejected after it is revoked", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const { ask } = service
        const sent = { name: "ci", abilities: ["read", "deploy"], expires_at: "2099-01-31T12:00:00+01:00" }
        const { token, ...made } = yield* ask(201, "POST", "/tokens", sent)
        expect(token).toMatch(/^\d+\|[A-Za-z0-9]{40}$/)
        const shown = {
          ...stamps,
          ...sent,
          uuid: made.uuid,
          team_id: 0,
          account_uuid: null,
          projects: null,
          expires_at: "2099-01-31T11:00:00.000Z",
          last_used_at: null
        }
        expect(made).toEqual(shown)
        expect(yield* ask(200, "GET", `/tokens/${made.uuid}`)).toEqual(shown)
        expect(yield* ask(200, "GET", "/token", undefined, { token })).toEqual({
          ...shown,
          last_used_at: expect.any(String)
        })
        for (const path of ["/tokens", `/tokens/${made.uuid}`, "/token"]) {
          const secret = token.split("|")[1]
          expect((yield* service.send("GET", `/api/v1${path}`)).text).not.toContain(secret)
        }
        // Only root tokens create, list or revoke tokens, including themselves.
        yield* ask(403, "POST", "/tokens", { name: "x", abilities: ["root"] }, { token })
        yield* ask(403, "GET", "/tokens", undefined, { token })
        yield* ask(403, "DELETE", `/tokens/${made.uuid}`, undefined, { token })
        yield* ask(400, "POST", "/tokens", { name: "x", abilities: ["read"], expires_at: "2001-01-01T00:00:00Z" })
        yield* ask(400, "POST", "/tokens", { name: "x", abilities: ["admin"] })
        yield* ask(200, "DELETE", `/tokens/${made.uuid}`)
        yield* ask(401, "GET", "/token", undefined, { token })
        yield* ask(401, "GET", "/applications", undefined, { token })
        expect(yield* ask(404, "DELETE", `/tokens/${made.uuid}`)).toEqual({ message: "Token not found." })
      })
    )

    it.effect("the instance returns its version and its own addresses", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const version = yield* service.send("GET", "/api/v1/version")
        expect(version.headers.get("content-type")).toMatch(/^text\/plain/)
        expect(version.text).toBe("4.3.0+slipway-development")
        const set = yield* service.ask(200, "PATCH", "/settings", {
          instance_domains: "https://Own.example, http://own.example:8000"
        })
        expect(set).toEqual({
          instance_domains: "https://Own.example, http://own.example:8000",
          is_api_enabled: true,
          is_mcp_server_enabled: false,
          updated_at: stamps.updated_at
        })
        expect(yield* service.ask(200, "GET", "/settings")).toEqual(set)
        yield* service.ask(400, "PATCH", "/settings", { instance_domains: "own" })
        expect(yield* service.ask(200, "GET", "/settings")).toEqual(set)
      })
    )
  })
}
