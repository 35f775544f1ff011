import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"

const record = (...conflicts: ReadonlyArray<object>) => ({
  message: "Domain conflicts were found. Send force_domain_override=true to proceed anyway.",
  warning: "Resources that share a domain can answer for each other: requests may reach the wrong one.",
  conflicts
})

for (const store of storeNames) {
  withApi(store)(`domains over ${store}`, (it) => {
    it.effect("I28: rejects a domain in use by an application, a service or the platform, and reports its holder", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask, dump, send } = service
        const first = yield* world.create("public", {
          name: "first",
          domains: "https://App.Example:443/a/, http://app.example:8080",
          docker_compose_domains: [{ name: "web", domain: "http://compose.example" }]
        })
        const { uuid: other } = yield* ask(201, "POST", "/services", {
          ...world.minimal.dockerimage,
          docker_registry_image_name: undefined,
          name: "a service",
          docker_compose_raw: "services: {}",
          urls: [{ name: "web", url: "https://service.example" }]
        })
        yield* ask(200, "PATCH", "/settings", { instance_domains: "https://slipway.example" })
        const second = yield* world.create("dockerimage", { domains: "http://second.example" })
        const domains =
          "http://second.example,http://APP.example./a,https://app.example:8080/,http://compose.example,http://service.example,https://slipway.example"
        const has = (domain: string, resource_name: string, resource_uuid: string | null, resource_type: string) => ({
          domain,
          resource_name,
          resource_uuid,
          resource_type,
          message: `\`${domain}\` is already used by the ${resource_type} \`${resource_name}\`.`
        })
        const others = [
          has("http://APP.example./a", "first", first, "application"),
          has("https://app.example:8080/", "first", first, "application"),
          has("http://compose.example", "first", first, "application"),
          has("http://service.example", "a service", other, "service"),
          has("https://slipway.example", "Slipway", null, "instance")
        ]
        const before = yield* dump
        const { name } = yield* ask(200, "GET", `/applications/${second}`)
        for (const [variant, body] of Object.entries(world.minimal)) {
          const answer = yield* send("POST", `/api/v1/applications/${variant}`, { body: { ...body, domains } })
          const own = has("http://second.example", name, second, "application")
          expect([answer.status, answer.json], variant).toEqual([409, record(own, ...others)])
        }
        const update = yield* send("PATCH", `/api/v1/applications/${second}`, { body: { domains } })
        expect([update.status, update.json], "an application does not conflict with itself").toEqual([
          409,
          record(...others)
        ])
        for (const [method, path, body] of [
          ["PATCH", `/services/${other}`, { urls: [{ name: "web", url: "http://app.example/a" }] }],
          ["PATCH", "/settings", { instance_domains: "http://app.example/a" }]
        ] as const) {
          const answer = yield* send(method, `/api/v1${path}`, { body })
          expect([answer.status, answer.json], path).toEqual([
            409,
            record(has("http://app.example/a", "first", first, "application"))
          ])
        }
        expect(yield* dump, "nothing was changed").toEqual(before)

        // Domains that only look similar.
        yield* world.create("public", {
          domains: "http://app.example,http://app.example/A,http://app.example:8081,http://sub.app.example/a"
        })
        const shared = yield* world.create("public", { domains: "http://app.example/a", force_domain_override: true })
        yield* ask(200, "PATCH", `/applications/${shared}`, { domains: "http://app.example/a", description: "kept" })
        const taken = yield* send("PATCH", `/api/v1/applications/${shared}`, {
          body: { domains: "http://service.example" }
        })
        expect(taken.status, "the override of an earlier request does not count").toBe(409)
        yield* ask(200, "PATCH", `/applications/${shared}`, {
          domains: "http://service.example",
          force_domain_override: true
        })
        yield* ask(200, "PATCH", "/settings", {
          instance_domains: "http://app.example/a",
          force_domain_override: true
        })
        yield* ask(200, "PATCH", "/settings", { instance_domains: "" })
      })
    )

    it.effect("I28: a domain is free again when its holder gives it up or is deleted", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const uuid = yield* world.create("public", { domains: "http://given.example,http://deleted.example" })
        yield* service.ask(409, "POST", "/applications/public", {
          ...world.minimal.public,
          domains: "http://given.example"
        })
        yield* service.ask(200, "PATCH", `/applications/${uuid}`, { domains: "http://deleted.example" })
        yield* world.create("public", { domains: "http://given.example" })
        yield* service.ask(200, "DELETE", `/applications/${uuid}`)
        yield* world.create("public", { domains: "http://deleted.example" })
      })
    )

    it.effect(
      "an application without a domain gets a domain below the server's wildcard domain or address, unless it opts out",
      () =>
        Effect.gen(function* () {
          const { service, world } = yield* Api
          const { ask } = service
          const shown = (uuid: string) =>
            Effect.map(ask(200, "GET", `/applications/${uuid}`), ({ domains, generated_domain }) => [
              domains,
              generated_domain
            ])
          const plain = yield* world.create("dockerimage")
          const address = `http://${plain}.127.0.0.1.sslip.io`
          expect(yield* shown(plain)).toEqual([address, address])
          yield* ask(409, "POST", "/applications/dockerimage", { ...world.minimal.dockerimage, domains: address })
          const without = yield* world.create("dockerimage", { autogenerate_domain: false })
          expect(yield* shown(without)).toEqual(["", null])
          const own = yield* world.create("dockerimage", { domains: "http://own.example" })
          expect(yield* shown(own)).toEqual(["http://own.example", null])
          yield* ask(200, "PATCH", `/applications/${own}`, { domains: "" })
          expect(yield* shown(own)).toEqual([`http://${own}.127.0.0.1.sslip.io`, `http://${own}.127.0.0.1.sslip.io`])

          const { uuid: server } = yield* ask(201, "POST", "/servers", {
            name: "wild",
            ip: "10.1.2.3",
            wildcard_domain: "Apps.Example"
          })
          expect((yield* ask(200, "GET", `/servers/${server}`)).generated_domain).toBe("http://{uuid}.apps.example")
          const wild = yield* world.create("dockerimage", { server_uuid: server })
          expect(yield* shown(wild)).toEqual([`http://${wild}.apps.example`, `http://${wild}.apps.example`])
          // A move regenerates a generated domain and keeps a custom one.
          yield* ask(200, "PATCH", `/applications/${plain}`, { server_uuid: server })
          expect(yield* shown(plain)).toEqual([`http://${plain}.apps.example`, `http://${plain}.apps.example`])
          yield* ask(200, "PATCH", `/applications/${plain}`, { autogenerate_domain: false })
          expect(yield* shown(plain)).toEqual(["", null])
        })
    )

    it.effect(
      "I28: exactly one of fifty concurrent creations with one domain succeeds, or all succeed with the override",
      () =>
        Effect.gen(function* () {
          const { service, world } = yield* Api
          const race = (body: object) =>
            Effect.map(
              Effect.forEach(
                Array.from({ length: 50 }, (_, n) => n),
                (n) =>
                  service.send("POST", "/api/v1/applications/dockerimage", {
                    body: { ...world.minimal.dockerimage, name: `racer ${n}`, ...body }
                  }),
                { concurrency: "unbounded" }
              ),
              (answers) => ({
                created: answers.filter(({ status }) => status === 201).map(({ json }) => json.uuid as string),
                refused: answers.filter(({ status }) => status === 409).map(({ json }) => json.conflicts)
              })
            )
          const before = (yield* service.ask(200, "GET", "/applications")).length
          const { created, refused } = yield* race({ domains: "http://race.example" })
          expect([created.length, refused.length]).toEqual([1, 49])
          for (const conflicts of refused) {
            expect(conflicts).toMatchObject([
              { domain: "http://race.example", resource_uuid: created[0], resource_type: "application" }
            ])
          }
          const all = yield* race({ domains: "http://race.example", force_domain_override: true })
          expect([all.created.length, all.refused.length]).toEqual([50, 0])
          expect(new Set(all.created).size).toBe(50)
          expect((yield* service.ask(200, "GET", "/applications")).length).toBe(before + 51)
        })
    )
  })
}
