import { expect } from "@effect/vitest"
import { ServiceStore, ServiceUuid } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"

for (const store of storeNames) {
  withApi(store)(`templates of services over ${store}`, (it) => {
    it.effect("are compared with the service, which an update changes unless its text was edited", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        const where = { project_uuid: world.project, server_uuid: world.server, environment_name: "production" }
        const { uuid } = yield* ask(201, "POST", "/services", { ...where, type: "uptime-kuma" })
        const path = `/services/${uuid}`
        const present = yield* ask(200, "GET", `${path}/template`)
        const text: string = present.docker_compose
        const [image = ""] = present.new_images
        expect(present).toEqual({
          type: "uptime-kuma",
          title: "Uptime Kuma",
          has_update: false,
          is_edited: false,
          current_images: [image],
          new_images: [image],
          added_variables: [],
          removed_variables: [],
          diff: "",
          docker_compose: text
        })
        /** Stores an older version of the template. */
        const older = text.replace(image, "louislam/uptime-kuma:1.0.0").replace("services:", `services: # \${OLD}`)
        const store = (compose: string, templateCompose: string | null) =>
          service.within(
            Effect.gen(function* () {
              const services = yield* ServiceStore
              const found = yield* services.find(ServiceUuid.make(uuid))
              if (found === undefined) return
              yield* Effect.orDie(services.replace({ ...found, dockerComposeRaw: compose, templateCompose }))
            })
          )
        yield* store(older, older)
        const update = yield* ask(200, "GET", `${path}/template`)
        expect(update).toMatchObject({
          has_update: true,
          is_edited: false,
          current_images: ["louislam/uptime-kuma:1.0.0"],
          new_images: [image],
          added_variables: [],
          removed_variables: ["OLD"]
        })
        expect(update.diff).toMatch(/^--- current\n\+\+\+ template\n@@/m)
        expect(update.diff).toMatch(/^-.*louislam\/uptime-kuma:1\.0\.0/m)

        yield* ask(200, "PATCH", path, { docker_compose_raw: older.replace("1.0.0", "1.0.1") })
        expect(yield* ask(200, "GET", `${path}/template`)).toMatchObject({ has_update: true, is_edited: true })
        expect(yield* ask(409, "POST", `${path}/template`)).toEqual({
          message:
            "The compose text was edited: apply the diff of GET /services/{uuid}/template to it, and send it with PATCH /services/{uuid}."
        })
        yield* store(older, older)
        expect((yield* ask(200, "POST", `${path}/template`, { instant_deploy: false })).docker_compose_raw).toBe(text)
        expect(yield* ask(200, "GET", `${path}/template`)).toEqual(present)

        // A service from before the platform stored texts of templates.
        yield* store(older, null)
        expect(yield* ask(200, "GET", `${path}/template`)).toMatchObject({ has_update: true, is_edited: true })
        yield* store(text, null)
        expect(yield* ask(200, "GET", `${path}/template`)).toEqual(present)

        const own = yield* ask(201, "POST", "/services", {
          ...where,
          docker_compose_raw: "services: {a: {image: nginx}}"
        })
        expect(yield* ask(404, "GET", `/services/${own.uuid}/template`)).toEqual({
          message: "Service template not found."
        })
      })
    )
  })
}
