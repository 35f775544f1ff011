import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"
import { createWebhookApplication } from "../support/webhookApplication.ts"
import { eventOf, pullRequestBody, secretsOf, senders } from "../support/webhooks.ts"

const commit = "5d41402a".repeat(5)

for (const store of storeNames) {
  withApi(store)(`previews over ${store}`, (it) => {
    it.effect("deploy a pull request of a fork only when a user requests it by number (I21)", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const domains = `http://fork-${store === "memory" ? "a" : "b"}.example`
        const { deliver, uuid } = yield* createWebhookApplication({ is_preview_deployments_enabled: true, domains })
        const fork = yield* deliver("github", pullRequestBody("github", "fork"), {
          headers: eventOf("github", "pull_request")
        })
        expect(fork.json).toMatchObject({ outcome: "ignored", reason: "pull_request_of_fork" })
        const { deployments } = yield* service.ask(200, "POST", `/deploy?uuid=${uuid}&pr=7`)
        const previews = service.ask(200, "GET", `/applications/${uuid}/previews`)
        expect(yield* previews).toMatchObject([
          {
            pull_request_id: 7,
            branch: null,
            uuid: deployments[0].resource_uuid,
            fqdn: domains.replace("fork", "7.fork")
          }
        ])
        const again = yield* service.ask(200, "POST", "/deploy", { uuid, pull_request_id: 7 })
        expect(again.deployments[0].resource_uuid).toBe(deployments[0].resource_uuid)
        for (const [query, field] of [
          [`uuid=${uuid}&pr=0`, "pr"],
          [`uuid=${uuid}&pr=x`, "pr"],
          [`uuid=${uuid}&tag=web&pr=7`, "pull_request_id"],
          [`uuid=${deployments[0].resource_uuid}&pr=7`, "pull_request_id"]
        ]) {
          const refused = yield* service.ask(400, "POST", `/deploy?${query}`)
          expect(Object.keys(refused.errors), query).toEqual([field])
        }
        for (const wrong of ["8", "0", "x", "1.5", "99999999999", "7e0", "07", "0x7"]) {
          expect(yield* service.ask(404, "DELETE", `/applications/${uuid}/previews/${wrong}`)).toEqual({
            message: "Preview not found."
          })
        }
        expect(yield* service.ask(200, "DELETE", `/applications/${uuid}/previews/7`)).toEqual({
          message: "Preview deletion request queued."
        })
        expect(yield* previews).toEqual([])
      })
    )

    it.effect("are not created by a late event of a pull request that was already closed", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const domains = `http://late-${store === "memory" ? "a" : "b"}.example`
        const { deliver, uuid } = yield* createWebhookApplication({ is_preview_deployments_enabled: true, domains })
        const told = (change: "opened" | "closed", second: number) => {
          const { pull_request, ...rest } = JSON.parse(pullRequestBody("github", change))
          const updated_at = `2026-03-01T10:00:0${second}Z`
          const body = JSON.stringify({ ...rest, pull_request: { ...pull_request, updated_at } })
          return Effect.map(deliver("github", body, { headers: eventOf("github", "pull_request") }), ({ json }) => json)
        }
        expect(yield* told("closed", 2)).toMatchObject({ outcome: "ignored", reason: "no_preview" })
        for (const second of [1, 2]) {
          expect(yield* told("opened", second)).toMatchObject({ outcome: "ignored", reason: "pull_request_over" })
        }
        expect(yield* told("opened", 3)).toMatchObject({ outcome: "queued" })
        expect(yield* told("closed", 5)).toMatchObject({ outcome: "removed" })
        expect(yield* told("opened", 4)).toMatchObject({
          message: "Ignored: it arrives after the pull request was closed.",
          reason: "pull_request_over"
        })
        expect(yield* service.ask(200, "GET", `/applications/${uuid}/previews`)).toEqual([])
      })
    )

    it.effect("run another tag of an image, which the request names", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        const host = `image-${store === "memory" ? "a" : "b"}.example`
        const uuid = yield* world.create("dockerimage", {
          domains: `http://${host}`,
          docker_registry_image_name: "nginx",
          is_preview_deployments_enabled: true
        })
        expect((yield* ask(400, "POST", `/deploy?uuid=${uuid}&docker_tag=pr-9`)).errors).toEqual({
          docker_tag: ["Needs pull_request_id."]
        })
        expect((yield* ask(400, "POST", `/deploy?uuid=${uuid}&pr=9`)).errors).toEqual({
          docker_tag: ["Is required for the first deployment of a preview."]
        })
        expect((yield* ask(400, "POST", `/deploy?uuid=${uuid}&pr=9&docker_tag=a:b`)).errors).toHaveProperty(
          "docker_tag"
        )
        const { deployments } = yield* ask(200, "POST", `/deploy?uuid=${uuid}&pull_request_id=9&docker_tag=pr-9`)
        expect(yield* ask(200, "GET", `/applications/${uuid}/previews`)).toMatchObject([
          { pull_request_id: 9, uuid: deployments[0].resource_uuid, fqdn: `http://9.${host}` }
        ])
        const preview = `/applications/${deployments[0].resource_uuid}`
        expect((yield* ask(200, "GET", preview)).docker_registry_image_tag).toBe("pr-9")
        yield* ask(200, "POST", "/deploy", { uuid, pr: 9, docker_tag: "pr-9-2" })
        expect((yield* ask(200, "GET", preview)).docker_registry_image_tag).toBe("pr-9-2")
        yield* ask(200, "DELETE", `/applications/${uuid}/previews/9`)
      })
    )

    for (const provider of senders) {
      it.effect(`deploy a pull request of ${provider}, and are removed when it closes`, () =>
        Effect.gen(function* () {
          const { service } = yield* Api
          const { deliver, name, uuid } = yield* createWebhookApplication({
            is_preview_deployments_enabled: true,
            domains: `https://${provider}.${store === "memory" ? "a" : "b"}.example`
          })
          const host = `${provider}.${store === "memory" ? "a" : "b"}.example`
          const told = (change: Parameters<typeof pullRequestBody>[1]) =>
            deliver(provider, pullRequestBody(provider, change), { headers: eventOf(provider, "pull_request", change) })
          const previews = service.ask(200, "GET", `/applications/${uuid}/previews`)
          expect((yield* told("fork")).json).toMatchObject({ outcome: "ignored", reason: "pull_request_of_fork" })
          expect(yield* previews).toEqual([])
          const opened = yield* told("opened")
          expect(opened.json, opened.text).toMatchObject({ message: "Deployment request queued.", outcome: "queued" })
          const listed = yield* previews
          expect(listed).toMatchObject([
            { pull_request_id: 7, application_uuid: uuid, branch: "feature", fqdn: `https://7.${host}` }
          ])
          const preview = listed[0].uuid
          expect(yield* service.ask(200, "GET", `/deployments/${opened.json.deployment_uuid}`)).toMatchObject({
            application_uuid: preview,
            pull_request_id: 7,
            commit: provider === "bitbucket" ? "HEAD" : commit
          })
          const secrets = Object.fromEntries(Object.keys(secretsOf(name)).map((field) => [field, null]))
          expect(yield* service.ask(200, "GET", `/applications/${preview}`)).toMatchObject({
            ...secrets,
            git_branch: "feature",
            is_preview_deployments_enabled: false
          })
          expect((yield* told("closed")).json).toMatchObject({
            message: "Preview deletion request queued.",
            outcome: "removed",
            reason: null,
            deployment_uuid: null
          })
          expect(yield* previews).toEqual([])
          yield* service.ask(404, "GET", `/applications/${preview}`)
          expect((yield* told("merged")).json).toMatchObject({ outcome: "ignored", reason: "no_preview" })
        })
      )
    }
  })
}
