import { expect } from "@effect/vitest"
import { constants, type FieldName, type Variant } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"
import { endpoints } from "../support/endpoints.ts"
import { type Answer, type Service, wrongFields } from "../support/harness.ts"
import { applicationRoutes, configurationFields, counts, creations } from "../support/routes.ts"
import { type Body, samples, type World } from "../support/world.ts"

let made = 0
const without = (body: Body, name: FieldName): Body =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key !== name))

const stable = ({ updated_at: _, ...rest }: Record<string, unknown>) => rest

const notAllowed = ["This field is not allowed."]
const needed = ["This field is required."]
const either = ["Either environment_name or environment_uuid is required."]
const environmentFields: ReadonlyArray<FieldName> = ["environment_name", "environment_uuid"]

withApi()("the nine endpoints for applications", (it) => {
  it.effect("take the port of a Dockerfile from EXPOSE if a request has none, also of a Dockerfile in base64", () =>
    Effect.gen(function* () {
      const { service, world } = yield* Api
      const portOf = (body: Readonly<Record<string, unknown>>) =>
        Effect.flatMap(world.create("dockerfile", body), (uuid) =>
          Effect.map(service.ask(200, "GET", `/applications/${uuid}`), ({ ports_exposes: ports }) => ports)
        )
      const dockerfile = "FROM nginx\nEXPOSE 53/udp 8080\n"
      expect(yield* portOf({ dockerfile })).toBe("8080")
      expect(yield* portOf({ dockerfile: btoa(dockerfile) })).toBe("8080")
      expect(yield* portOf({ dockerfile, ports_exposes: "3000" })).toBe("3000")
      expect(yield* portOf({ dockerfile: "FROM nginx" })).toBe("80")
    })
  )

  it.effect("the endpoints match the specification exactly", () =>
    Effect.sync(() => {
      const declared = endpoints
        .filter(({ name }) => name.startsWith("applications."))
        .map(({ method, template }) => `${method} ${template.replace("/api/v1", "")}`)
      // Coolify's clients also call these.
      const besides = ["private-github-app", "{uuid}/clone", "{uuid}/migrate", "{uuid}/move"].map(
        (path) => `POST /applications/${path}`
      )
      besides.push("GET /applications/{uuid}/destinations", "POST /applications/{uuid}/destinations")
      besides.push("DELETE /applications/{uuid}/destinations/{destination_uuid}")
      const specified = applicationRoutes.map(({ method, path }) => `${method} ${path}`)
      expect(declared.sort()).toEqual([...specified, ...besides].sort())
      expect(applicationRoutes.length).toBe(counts.endpoints)
      expect(Object.keys(configurationFields).length).toBe(counts.configuration_fields)
    })
  )

  for (const { accepted, required, status, variant } of creations) {
    const path = `/api/v1/applications/${variant}`
    const names = accepted.map(({ name }) => name)

    it.effect(
      `${variant}: requires only the specification's fields and either the name or the UUID of the environment`,
      () =>
        Effect.gen(function* () {
          const { service, world } = yield* Api
          const before = yield* service.dump
          for (const name of required) {
            if (environmentFields.includes(name)) continue
            const answer = yield* service.send("POST", path, { body: without(world.minimal[variant], name) })
            expect([answer.status, answer.json], name).toEqual([
              400,
              { message: "Validation failed.", errors: { [name]: needed } }
            ])
          }
          const nowhere = yield* service.send("POST", path, {
            body: without(world.minimal[variant], "environment_name")
          })
          expect(nowhere.json.errors).toEqual({ environment_name: either, environment_uuid: either })
          const empty = yield* service.send("POST", path, { body: {} })
          expect(wrongFields(empty)).toEqual([...required].sort())
          expect(yield* service.dump).toEqual(before)
          const least = required.filter((name) => !environmentFields.includes(name))
          expect(Object.keys(without(world.minimal[variant], "environment_name")).sort()).toEqual([...least].sort())
          const environments: ReadonlyArray<Body> = [
            { environment_name: "production" },
            { environment_name: "PRODUCTION" },
            { environment_uuid: world.environment },
            { environment_name: "production", environment_uuid: world.environment }
          ]
          for (const environment of environments) {
            const body = { ...without(world.minimal[variant], "environment_name"), ...environment }
            const answer = yield* service.send("POST", path, { body })
            expect([answer.status, Object.keys(answer.json)], answer.text).toEqual([status, ["uuid"]])
            expect(answer.json.uuid).toMatch(/^[a-z0-9]{24}$/)
            expect(answer.headers.get("location")).toBe(`/api/v1/applications/${answer.json.uuid}`)
            const got = yield* service.ask(200, "GET", `/applications/${answer.json.uuid}`)
            expect(got).toMatchObject({ ...world.minimal[variant], environment_uuid: world.environment, variant })
          }
        })
    )

    it.effect(`${variant}: rejects fields of other variants on create and on update`, () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const uuid = yield* world.create(variant)
        const before = yield* service.dump
        const values = samples(world, ++made)
        const others = (Object.keys(configurationFields) as ReadonlyArray<FieldName>).filter(
          (name) => !names.includes(name)
        )
        expect(others.length).toBe(counts.configuration_fields - counts.accepted_fields[variant])
        const foreign = Object.fromEntries(
          [...others, "id", "uuid", "no_such_field"].map((name) => [name, values[name as FieldName] ?? null])
        )
        const refused = Object.fromEntries(Object.keys(foreign).map((name) => [name, notAllowed]))
        const created = yield* service.send("POST", path, { body: { ...world.minimal[variant], ...foreign } })
        expect([created.status, created.json.errors]).toEqual([400, refused])
        const updated = yield* service.send("PATCH", `/api/v1/applications/${uuid}`, { body: foreign })
        expect([updated.status, updated.json.errors]).toEqual([400, refused])
        expect(yield* service.dump).toEqual(before)
      })
    )

    it.effect(`${variant}: omitted fields get their defaults`, () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const uuid = yield* world.create(variant)
        const got = yield* service.ask(200, "GET", `/applications/${uuid}`)
        for (const { name } of accepted) {
          const { default: expected } = configurationFields[name]
          if (expected !== undefined) expect(got[name], name).toEqual(expected)
        }
        const added = ["id", "uuid", "created_at", "updated_at", "variant", "generated_domain"].concat(
          ["status", "fqdn", "destination_type", "settings", "github_app_uuid"],
          ["destination_id", "environment_id", "private_key_id", "source_id", "source_reason", "source_status"],
          ["github", "gitlab", "bitbucket", "gitea"].map((forge) => `manual_webhook_secret_${forge}`),
          ["custom_healthcheck_found", "custom_network_aliases", "custom_nginx_configuration", "deleted_at"],
          ["compose_parsing_version", "config_hash"],
          ["docker_compose", "docker_compose_raw", "dockerfile_target_build", "git_full_url"],
          ["health_check_command", "health_check_type", "repository_project_id"],
          ["swarm_placement_constraints", "swarm_replicas"]
        )
        expect(Object.keys(got).sort()).toEqual(
          [...added, ...Object.keys(constants), ...Object.keys(configurationFields)].sort()
        )
      })
    )
  }
})

const same = (answer: Answer, body: Body, what: string) => {
  for (const [name, value] of Object.entries(body)) expect(answer.json[name], `${what}: ${name}`).toEqual(value)
}

/** Creates, reads, sends the response back and reads again. Every sent value must be present each time. */
const roundTrip = Effect.fnUntraced(function* (
  { service, world }: { service: Service; world: World },
  variant: Variant,
  sent: Body
) {
  const what = `${variant} with ${Object.keys(sent).join().slice(0, 80)}`
  const uuid = yield* world.create(variant, sent)
  const path = `/api/v1/applications/${uuid}`
  const first = yield* service.send("GET", path)
  same(first, sent, what)
  const patched = yield* service.send("PATCH", path, { body: sent })
  expect(patched.status, patched.text).toBe(200)
  const second = yield* service.send("GET", path)
  expect(second.json, what).toEqual(patched.json)
  expect(stable(second.json), what).toEqual(stable(first.json))
  const whole: Body = Object.fromEntries(
    Object.entries(first.json).filter(([name, value]) => name in configurationFields && value !== null)
  )
  return { uuid, path, whole }
})

for (const store of storeNames) {
  withApi(store)(`over ${store}: every accepted field is kept by create, read, update and read`, (it) => {
    for (const { accepted, variant } of creations) {
      const value = (world: World, name: FieldName) =>
        variant === "dockerfile" && name === "build_pack" ? "dockerfile" : samples(world, ++made)[name]

      if (store === "memory") {
        it.effect(`${variant}: stores each field when sent by itself`, () =>
          Effect.gen(function* () {
            const api = yield* Api
            for (const { name, nullable } of accepted) {
              yield* roundTrip(api, variant, { [name]: value(api.world, name) })
              if (nullable) yield* roundTrip(api, variant, { [name]: null })
            }
          })
        )
      }

      it.effect(`${variant}: stores all fields sent together, and accepts its own response as an update`, () =>
        Effect.gen(function* () {
          const api = yield* Api
          const all = Object.fromEntries(accepted.map(({ name }) => [name, value(api.world, name)]))
          const { path } = yield* roundTrip(api, variant, all)
          const changed = {
            ...all,
            ...Object.fromEntries(accepted.filter(({ nullable }) => nullable).map(({ name }) => [name, null]))
          }
          const patched = yield* api.service.send("PATCH", path, { body: changed })
          same(patched, changed, `${variant} changed`)
          same(yield* api.service.send("GET", path), changed, `${variant} changed`)
        })
      )

      it.effect(`${variant}: sending back the response of an application with defaults changes nothing`, () =>
        Effect.gen(function* () {
          const api = yield* Api
          const { path, whole } = yield* roundTrip(api, variant, {})
          const before = yield* api.service.send("GET", path)
          const own = Object.fromEntries(accepted.flatMap(({ name }) => (name in whole ? [[name, whole[name]]] : [])))
          expect((yield* api.service.send("PATCH", path, { body: own })).status).toBe(200)
          expect(stable((yield* api.service.send("GET", path)).json)).toEqual(stable(before.json))
        })
      )
    }

    it.effect("list, read and update return the same application (I10)", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const uuid = yield* world.create("public", { description: "listed", manual_webhook_secret_forgeA: "x" })
        const got = yield* service.ask(200, "GET", `/applications/${uuid}`)
        const listed = (yield* service.ask(200, "GET", "/applications")).find(
          (each: { uuid: string }) => each.uuid === uuid
        )
        expect(listed).toEqual(got)
        const patched = yield* service.ask(200, "PATCH", `/applications/${uuid}`, {})
        expect(stable(patched)).toEqual(stable(got))
      })
    )
  })
}
