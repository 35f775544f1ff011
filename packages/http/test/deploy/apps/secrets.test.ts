import { expect, it as plainIt } from "@effect/vitest"
import { ApplicationStore } from "@slipway/domain/deploy/apps"
import { TokenStore } from "@slipway/domain/deploy/identity"
import { layer as memory } from "@slipway/memory/deploy"
import { Effect, Layer } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"
import { endpoints } from "../support/endpoints.ts"
import { newKey, start } from "../support/harness.ts"
import { creations } from "../support/routes.ts"
import { makeWorld } from "../support/world.ts"

const secrets = {
  manual_webhook_secret_forgeA: "s3cr3t-hook-a",
  manual_webhook_secret_forgeB: "s3cr3t-hook-b",
  manual_webhook_secret_forgeC: "s3cr3t-hook-c",
  manual_webhook_secret_forgeD: "s3cr3t-hook-d",
  http_basic_auth_password: "s3cr3t-password"
} as const
const hidden = Object.fromEntries(Object.keys(secrets).map((name) => [name, null]))
const auth = { is_http_basic_auth_enabled: true, http_basic_auth_username: "me" } as const
const anySecret = /s3cr3t|PRIVATE KEY/

for (const store of storeNames) {
  withApi(store)(`secrets over ${store}`, (it) => {
    it.effect(
      "I15: are returned by reads and lists to callers with permission, and are null for all other callers",
      () =>
        Effect.gen(function* () {
          const { service, world } = yield* Api
          const reader = (yield* service.mint("read")).text
          const writer = (yield* service.mint("write")).text
          const sensitive = (yield* service.mint("read:sensitive")).text
          const both = (yield* service.mint("write", "read:sensitive")).text
          for (const { variant } of creations) {
            const created = yield* service.ask(
              201,
              "POST",
              `/applications/${variant}`,
              { ...world.minimal[variant], ...auth, ...secrets },
              { token: writer }
            )
            const path = `/applications/${created.uuid}`
            const shown = { ...auth, ...secrets }
            const masked = { ...auth, ...hidden }
            expect(yield* service.ask(200, "GET", path), "root").toMatchObject(shown)
            expect(yield* service.ask(200, "GET", path, undefined, { token: sensitive })).toMatchObject(shown)
            expect(yield* service.ask(200, "GET", path, undefined, { token: reader })).toMatchObject(masked)
            expect(yield* service.ask(200, "PATCH", path, { description: "x" }, { token: writer })).toMatchObject(
              masked
            )
            expect(yield* service.ask(200, "PATCH", path, { description: "y" }, { token: both })).toMatchObject(shown)
            for (const query of ["", "?per_page=100"]) {
              for (const [token, seen] of [
                [reader, masked],
                [sensitive, shown],
                [service.root, shown]
              ] as const) {
                const listed = yield* service.ask(200, "GET", `/applications${query}`, undefined, { token })
                expect(listed.find((each: { uuid: string }) => each.uuid === created.uuid)).toMatchObject(seen)
              }
            }
            // Each changes by itself, null unsets a nullable field, and omitted fields stay.
            yield* service.ask(200, "PATCH", path, {
              manual_webhook_secret_forgeA: "s3cr3t-new",
              http_basic_auth_password: null
            })
            expect(yield* service.ask(200, "GET", path)).toMatchObject({
              ...secrets,
              manual_webhook_secret_forgeA: "s3cr3t-new",
              http_basic_auth_password: null
            })
          }
        })
    )

    it.effect("I15: in variables are returned with read:sensitive, except in variables that are shown only once", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        const path = `/applications/${yield* world.create("dockerimage")}/envs`
        const writer = { token: (yield* service.mint("read", "write")).text }
        const sensitive = { token: (yield* service.mint("read:sensitive")).text }
        yield* ask(201, "POST", path, { key: "A", value: "s3cr3t $A" }, writer)
        yield* ask(201, "POST", path, { key: "B", value: "s3cr3t once", is_shown_once: true }, writer)
        const valuesFor = (options: { readonly token: string }) =>
          Effect.map(
            ask(200, "GET", path, undefined, options),
            (all: ReadonlyArray<{ key: string; real_value: string | null; value: string | null }>) =>
              all.map((each) => [each.key, each.value, each.real_value])
          )
        const none = [
          ["A", null, null],
          ["B", null, null]
        ]
        expect(yield* valuesFor(writer)).toEqual(none)
        expect(yield* valuesFor(sensitive)).toEqual([["A", "s3cr3t $A", "s3cr3t $A"], none[1]])
        const changed = yield* ask(201, "PATCH", path, { key: "A", value: "s3cr3t 2" }, writer)
        expect(changed).toMatchObject({ value: null, real_value: null })
      })
    )

    it.effect("I15: appear in no other response, error or log, and are encrypted in the store", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask, send } = service
        const key = newKey()
        const { uuid } = yield* ask(201, "POST", "/security/keys", { name: "k", private_key: key })
        const forge = {
          name: "f",
          html_url: "https://f.example",
          app_id: 1,
          installation_id: 1,
          client_id: "c",
          client_secret: "s3cr3t-client",
          webhook_secret: "s3cr3t-hook",
          private_key_uuid: uuid
        }
        const { uuid: app } = yield* ask(201, "POST", "/forge-apps", forge)
        const application = yield* world.create("public", { ...auth, ...secrets, domains: "http://secret.example" })
        const answers = [
          yield* send("PATCH", `/api/v1/security/keys/${uuid}`, { body: { private_key: key } }),
          yield* send("PATCH", `/api/v1/forge-apps/${app}`, { body: forge }),
          yield* send("POST", "/api/v1/security/keys", { body: { private_key: `${key}x`, name: 5 } }),
          yield* send("POST", "/api/v1/security/keys", { body: { private_key: key.replaceAll("A", "B") } }),
          yield* send("POST", "/api/v1/forge-apps", {
            body: { ...forge, client_secret: ["s3cr3t"], webhook_secret: "s3cr3t\n" }
          }),
          yield* send("POST", "/api/v1/forge-apps", { raw: `{"client_secret":"s3cr3t"` }),
          yield* send("POST", "/api/v1/applications/public", {
            body: { ...world.minimal.public, ...secrets, domains: "http://secret.example" }
          }),
          yield* send("POST", "/api/v1/applications/public", {
            body: {
              ...world.minimal.public,
              manual_webhook_secret_forgeA: "s3cr3t\n",
              http_basic_auth_password: ["s3cr3t"]
            }
          }),
          yield* send("PATCH", `/api/v1/applications/${application}`, {
            body: { http_basic_auth_password: "s3cr3t\u0000", name: "" }
          })
        ]
        const expected = [200, 200, 400, 400, 400, 400, 409, 400, 400]
        expect(answers.map(({ status }) => status)).toEqual(expected)
        const { text: reader } = yield* service.mint("read")
        for (const { action, method, template } of endpoints) {
          // A stream doesn't end. It sends the lines that the path above it returns.
          if (method !== "GET" || template.endsWith("/stream")) continue
          const path = template.replace(
            "{uuid}",
            template.includes("keys") ? uuid : template.includes("forge") ? app : application
          )
          const showsThem = action === "application.read" || action === "application.list"
          for (const token of showsThem ? [reader] : [reader, service.root])
            answers.push(yield* send(method, path, { token }))
        }
        for (const { text } of answers) expect(text).not.toMatch(anySecret)
        expect(JSON.stringify(yield* service.dump)).not.toMatch(anySecret)
        expect(service.logged.join("\n")).not.toMatch(anySecret)
      })
    )

    it.effect("labels are returned as they were sent, in every form in which they are stored", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const labels = "price=$5\ntwo=$$\nthree=$$$\nvariable=$" + "{HOST}"
        const stored = (uuid: string) =>
          Effect.map(
            service.within(Effect.flatMap(ApplicationStore, (kept) => kept.find(uuid as never))),
            (application) => application?.configuration.custom_labels
          )
        const uuid = yield* world.create("dockerimage", { custom_labels: labels })
        const doubled = labels.replaceAll("$", "$$$$")
        expect(yield* stored(uuid)).toBe(doubled)
        const patch = (body: object) =>
          Effect.map(service.ask(200, "PATCH", `/applications/${uuid}`, body), ({ custom_labels }) => custom_labels)
        expect(yield* patch({})).toBe(labels)
        expect(yield* patch({ is_container_label_escape_enabled: false })).toBe(labels)
        expect(yield* stored(uuid)).toBe(labels)
        expect(yield* patch({ custom_labels: "a=$1" })).toBe("a=$1")
        expect(yield* stored(uuid)).toBe("a=$1")
        expect(yield* patch({ is_container_label_escape_enabled: true })).toBe("a=$1")
        expect(yield* stored(uuid)).toBe("a=$$1")
      })
    )
  })
}

plainIt.live(
  "I15: a store failure returns 500 with the id of a log entry, and both omit the request and the cause",
  () =>
    Effect.gen(function* () {
      const broken = Layer.effect(
        ApplicationStore,
        Effect.map(ApplicationStore, (store) => ({
          ...store,
          insert: () => Effect.die(new Error("the disk is on fire"))
        }))
      ).pipe(Layer.provideMerge(memory))
      const service = yield* start(broken)
      const world = yield* makeWorld(service)
      const body = { ...world.minimal.public, ...secrets }
      expect((yield* service.send("POST", "/api/v1/applications/public?secret=s3cr3t", { body })).status).toBe(400)
      const answer = yield* service.send("POST", "/api/v1/applications/public", { body })
      expect([answer.status, answer.json]).toEqual([
        500,
        { message: "Internal server error.", request_id: expect.stringMatching(/^[0-9a-f]{24}$/) }
      ])
      const log = service.logged.join("\n")
      expect(log).toContain(answer.json.request_id)
      expect(answer.headers.get("x-request-id")).toBe(answer.json.request_id)
      expect(log).toContain("the disk is on fire")
      expect(log).not.toMatch(anySecret)
      expect(log).not.toContain(service.root.split("|")[1])
    })
)

plainIt.live("a request gets 500 and authenticates no caller if the store can't be read", () =>
  Effect.gen(function* () {
    let isBroken = false
    const broken = Layer.effect(
      TokenStore,
      Effect.map(TokenStore, (store) => ({
        ...store,
        findWithAccount: (hash: string) => (isBroken ? Effect.die(new Error("gone")) : store.findWithAccount(hash))
      }))
    ).pipe(Layer.provideMerge(memory))
    const service = yield* start(broken)
    isBroken = true
    expect((yield* service.send("GET", "/api/v1/applications")).status).toBe(500)
  })
)
