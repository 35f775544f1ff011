import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"

for (const store of storeNames) {
  withApi(store)(`destinations of an application over ${store}`, (it) => {
    it.effect("are added on other servers, listed with their state, and removed", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        const domains = `http://several-${store === "memory" ? "a" : "b"}.example`
        const uuid = yield* world.create("dockerimage", { domains, name: "several" })
        const { uuid: server } = yield* ask(201, "POST", "/servers", { name: "second", ip: "10.0.0.7" })
        const [{ uuid: destination }] = yield* ask(200, "GET", `/servers/${server}/destinations`)
        const same = yield* ask(400, "POST", `/applications/${uuid}/destinations`, { destination_uuid: destination })
        expect(same.errors).toEqual({
          destination_uuid: [
            "The servers `localhost` and `second` are the same machine: set `private_key_uuid` of the one that the platform reaches by SSH."
          ]
        })
        yield* ask(201, "PATCH", `/servers/${server}`, { private_key_uuid: world.key })
        const [own] = yield* ask(200, "GET", `/applications/${uuid}/destinations`)
        expect(own).toMatchObject({ is_additional: false, application_uuid: uuid, status: "exited:unhealthy" })

        const added = yield* ask(201, "POST", `/applications/${uuid}/destinations`, { destination_uuid: destination })
        expect(added).toMatchObject({
          uuid: destination,
          server_uuid: server,
          network: "slipway",
          is_additional: true,
          status: "exited:unhealthy"
        })
        expect(yield* ask(200, "GET", `/applications/${uuid}/destinations`)).toEqual([own, added])
        const copy = added.application_uuid
        expect(yield* ask(200, "GET", `/applications/${copy}`)).toMatchObject({
          name: "several-second",
          server_uuid: server,
          fqdn: domains
        })
        const twice = yield* ask(400, "POST", `/applications/${uuid}/destinations`, { destination_uuid: destination })
        expect(twice.errors).toEqual({
          destination_uuid: ["The application already has a destination on this server."]
        })
        const missing = yield* ask(400, "POST", `/applications/${uuid}/destinations`, { destination_uuid: world.key })
        expect(missing.errors).toEqual({ destination_uuid: ["There is no such destination."] })
        for (const [method, path, body] of [
          ["PATCH", "", { description: "x" }],
          ["POST", "/envs", { key: "A", value: "b" }],
          ["POST", "/tags", { tag_name: "web" }],
          ["POST", "/storages", { type: "persistent", name: "data", mount_path: "/data" }],
          ["POST", "/scheduled-tasks", { name: "clean", command: "true", frequency: "daily" }],
          ["POST", "/clone", { destination_uuid: own.uuid }],
          ["POST", "/destinations", { destination_uuid: own.uuid }]
        ] as const) {
          const refused = yield* ask(400, method, `/applications/${copy}${path}`, body)
          expect(refused.errors, path).toEqual({
            uuid: [`This application runs the application ${uuid} at an additional destination: change that one.`]
          })
        }
        expect((yield* ask(409, "DELETE", `/servers/${server}`)).message).toContain("use")

        const itself = yield* ask(400, "DELETE", `/applications/${uuid}/destinations/${own.uuid}`)
        expect(Object.keys(itself.errors)).toEqual(["destination_uuid"])
        for (const wrong of ["x", world.key]) {
          expect(yield* ask(404, "DELETE", `/applications/${uuid}/destinations/${wrong}`)).toEqual({
            message: "Destination not found."
          })
        }
        expect(yield* ask(200, "DELETE", `/applications/${uuid}/destinations/${destination}`)).toEqual({
          message: "Removal of the destination queued."
        })
        expect(yield* ask(200, "GET", `/applications/${uuid}/destinations`)).toEqual([own])
        expect(yield* ask(404, "GET", `/applications/${copy}`)).toEqual({ message: "Application not found." })

        const again = yield* ask(201, "POST", `/applications/${uuid}/destinations`, { destination_uuid: destination })
        yield* ask(200, "DELETE", `/applications/${uuid}`)
        yield* ask(404, "GET", `/applications/${again.application_uuid}`)
      })
    )

    it.effect("need a registry for an image that is built, and a server of the team", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        const uuid = yield* world.create("dockerfile")
        const { uuid: server } = yield* ask(201, "POST", "/servers", {
          name: "third",
          ip: "10.0.0.8",
          private_key_uuid: world.key
        })
        const [{ uuid: destination }] = yield* ask(200, "GET", `/servers/${server}/destinations`)
        const body = { destination_uuid: destination }
        const refused = yield* ask(400, "POST", `/applications/${uuid}/destinations`, body)
        expect(Object.keys(refused.errors)).toEqual(["docker_registry_image_name"])
        yield* ask(200, "PATCH", `/applications/${uuid}`, { docker_registry_image_name: "registry.example/shop" })
        yield* ask(201, "POST", `/applications/${uuid}/destinations`, body)
        expect(
          (yield* ask(400, "PATCH", `/applications/${uuid}`, { docker_registry_image_name: "" })).errors
        ).toHaveProperty("docker_registry_image_name")
        const { uuid: project } = yield* ask(201, "POST", "/projects", { name: "elsewhere" })
        const [{ uuid: environment }] = yield* ask(200, "GET", `/projects/${project}/environments`)
        yield* ask(200, "POST", `/applications/${uuid}/move`, { environment_uuid: environment })
        const [, added] = yield* ask(200, "GET", `/applications/${uuid}/destinations`)
        expect(yield* ask(200, "GET", `/applications/${added.application_uuid}`)).toMatchObject({
          environment_uuid: environment,
          project_uuid: project
        })
      })
    )
  })
}
