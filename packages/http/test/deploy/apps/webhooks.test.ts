import { expect, it as plainIt } from "@effect/vitest"
import { DeploymentStore, type Provider } from "@slipway/domain/deploy/apps"
import { layer as memory } from "@slipway/memory/deploy"
import { Clock, Effect, Layer } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"
import { start } from "../support/harness.ts"
import { createWebhookApplication } from "../support/webhookApplication.ts"
import {
  eventOf,
  hmac,
  proofOf,
  pullRequestBody,
  pushBody,
  secretOf,
  senders,
  standardHeaders
} from "../support/webhooks.ts"
import { type Body, makeWorld } from "../support/world.ts"

const commit = "5d41402a".repeat(5)
const unauthenticated = { message: "Unauthenticated." }

for (const store of storeNames) {
  withApi(store)(`webhooks over ${store}`, (it) => {
    for (const provider of senders) {
      it.effect(`deploy a push of ${provider}, and record the delivery`, () =>
        Effect.gen(function* () {
          const { service } = yield* Api
          const { deliver, deliveries, deployments, uuid } = yield* createWebhookApplication()
          const answer = yield* deliver(provider, pushBody(provider))
          expect([answer.status, answer.json], answer.text).toEqual([
            200,
            {
              message: "Deployment request queued.",
              delivery_uuid: expect.stringMatching(/^[a-z0-9]{24}$/),
              outcome: "queued",
              reason: null,
              deployment_uuid: expect.stringMatching(/^[a-z0-9]{24}$/)
            }
          ])
          const { delivery_uuid, deployment_uuid } = answer.json
          expect(yield* deployments).toMatchObject([{ deployment_uuid, commit, action: "deploy", status: "queued" }])
          const shown = {
            uuid: delivery_uuid,
            application_uuid: uuid,
            provider,
            branch: "main",
            commit,
            author: "Ada",
            message: "Change something",
            outcome: "queued",
            reason: null,
            deployment_uuid,
            replays: 0,
            replayed_at: null,
            event: Object.values(eventOf(provider, "push"))[0]
          }
          expect(yield* deliveries).toMatchObject([shown])
          expect(yield* service.ask(200, "GET", `/webhook-deliveries/${delivery_uuid}`)).toMatchObject(shown)
        })
      )

      it.effect(`give the same response to every wrongly signed delivery of ${provider}, and record none (I9)`, () =>
        Effect.gen(function* () {
          const { world } = yield* Api
          const one = yield* createWebhookApplication()
          const other = yield* createWebhookApplication()
          const bare = yield* createWebhookApplication({
            manual_webhook_secret_forgeA: "",
            manual_webhook_secret_forgeB: "",
            manual_webhook_secret_forgeC: "",
            manual_webhook_secret_forgeD: ""
          })
          const body = pushBody(provider)
          const right = proofOf(provider, secretOf(one.name, provider), body)
          const [header = "", proof = ""] = Object.entries(right)[0] ?? []
          const attempts: ReadonlyArray<Record<string, string>> = [
            {},
            { [header]: "" },
            { [header]: "sha256=" },
            { [header]: proof.slice(0, -1) },
            { [header]: `${proof}0` },
            { [header]: proof.replace(/.$/, (last) => (last === "0" ? "1" : "0")) },
            { "x-hub-signature": `sha1=${hmac(secretOf(one.name, provider), body).slice(0, 40)}` },
            // The secret of another application, and that of another field of this application (I22).
            proofOf(provider, secretOf(other.name, provider), body),
            proofOf(provider, secretOf(one.name, provider === "github" ? "gitea" : "github"), body),
            proofOf(provider, "nobody's secret", body),
            { authorization: "Bearer x" }
          ]
          for (const headers of attempts) {
            const answer = yield* one.attempt(provider, body, headers)
            expect([answer.status, answer.json], JSON.stringify(headers)).toEqual([401, unauthenticated])
          }
          if (provider !== "gitlab") {
            const changed = yield* one.attempt(provider, `${body} `, right)
            expect([changed.status, changed.json]).toEqual([401, unauthenticated])
          }
          const ofNobody = [{}, proofOf(provider, "", body), proofOf(provider, "nobody's secret", body)]
          for (const headers of ofNobody) {
            const answer = yield* bare.attempt(provider, body, headers)
            expect([answer.status, answer.json]).toEqual([401, unauthenticated])
          }
          const unset = yield* world.create("public")
          for (const nobody of [unset, "nowhere", "aaaaaaaaaaaaaaaaaaaaaaaa", "%00", world.project]) {
            const { service } = yield* Api
            const path = `/api/v1/applications/${nobody}/webhooks/${provider}`
            const answer = yield* service.send("POST", path, { token: undefined, raw: body, headers: right })
            expect([answer.status, answer.json], nobody).toEqual([401, unauthenticated])
          }
          expect([yield* one.deliveries, yield* one.deployments]).toEqual([[], []])
          expect((yield* one.attempt(provider, body, right)).status, "the right one").toBe(200)
        })
      )

      it.effect(`reject a body that ${provider} sent before, even with another delivery id`, () =>
        Effect.gen(function* () {
          const { deliver, deliveries, deployments } = yield* createWebhookApplication()
          const body = pushBody(provider)
          const both = yield* Effect.all([deliver(provider, body), deliver(provider, body)], { concurrency: 2 })
          expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
          const numbered = {
            "x-github-delivery": "2",
            "x-gitea-delivery": "2",
            "webhook-id": "2",
            "x-request-uuid": "2"
          }
          const again = yield* deliver(provider, body, { headers: numbered })
          expect([again.status, again.json]).toEqual([
            409,
            { message: "This delivery was received before; nothing was done." }
          ])
          expect(yield* deployments).toHaveLength(1)
          expect(yield* deliveries).toMatchObject([{ replays: 2, replayed_at: expect.any(String) }])
          expect((yield* deliver(provider, pushBody(provider))).status).toBe(200)
        })
      )

      it.effect(`reject a body of ${provider} above 1 MiB (I25)`, () =>
        Effect.gen(function* () {
          const { deliver, deliveries } = yield* createWebhookApplication()
          const large = " ".repeat(2 ** 20)
          const answer = yield* deliver(provider, `${large} `)
          expect([answer.status, answer.json]).toEqual([413, { message: "The body is too large." }])
          const lies = yield* deliver(provider, `${large} `, { headers: { "content-length": "5" } })
          expect(lies.status).toBe(413)
          expect(yield* deliveries).toEqual([])
          expect((yield* deliver(provider, large)).json).toMatchObject({ outcome: "ignored", reason: "unreadable" })
        })
      )

      it.effect(`record pull requests and unreadable bodies of ${provider}, and deploy nothing`, () =>
        Effect.gen(function* () {
          const { deliver, deliveries, deployments } = yield* createWebhookApplication()
          const asked = yield* deliver(provider, pullRequestBody(provider), {
            headers: eventOf(provider, "pull_request")
          })
          expect(asked.json).toMatchObject({
            message: "Ignored: it is about a pull request, and `is_preview_deployments_enabled` is false.",
            outcome: "ignored",
            reason: "pull_request",
            deployment_uuid: null
          })
          for (const raw of ["", "{", "[]", "null", '{"ref":5}', "\u0000", "[".repeat(1_000_000)]) {
            expect((yield* deliver(provider, raw)).json, raw.slice(0, 9)).toMatchObject({ reason: "unreadable" })
          }
          expect((yield* deliveries).map(({ reason }: { readonly reason: string }) => reason)).toEqual([
            ...Array.from({ length: 7 }, () => "unreadable"),
            "pull_request"
          ])
          expect(yield* deployments).toEqual([])
        })
      )

      it.effect(`ignore invalid branch names and commits of ${provider} (I23)`, () =>
        Effect.gen(function* () {
          const { deliver, deliveries, deployments } = yield* createWebhookApplication()
          const hostile = [
            "--upload-pack=x",
            "$(touch x)",
            "`id`",
            "HEAD",
            "main",
            "a\u0000b",
            "0a1b2c3",
            `${commit}\n`
          ]
          for (const each of hostile) {
            expect((yield* deliver(provider, pushBody(provider, { commit: each }))).json, each).toMatchObject({
              outcome: "ignored",
              reason: "invalid_commit"
            })
            const branch = each === "main" ? "main " : each
            expect((yield* deliver(provider, pushBody(provider, { branch }))).json, each).toMatchObject({
              outcome: "ignored",
              reason: "other_branch"
            })
          }
          expect(yield* deployments).toEqual([])
          const kept = JSON.stringify(yield* deliveries)
          for (const each of ["--upload-pack", "$(touch", "\\u0000"]) expect(kept).not.toContain(each)
        })
      )
    }

    it.effect("accept GitLab's Standard Webhooks signatures for five minutes", () =>
      Effect.gen(function* () {
        const key = Buffer.from("a key of some thirty-two letters")
        const { attempt, uuid } = yield* createWebhookApplication({
          manual_webhook_secret_forgeB: `whsec_${key.toString("base64")}`
        })
        const { service } = yield* Api
        const seconds = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
        const body = pushBody("gitlab")
        const right = standardHeaders(key, body, seconds)
        const token = { "x-gitlab-token": `whsec_${key.toString("base64")}` }
        for (const wrong of [
          standardHeaders("another key", body, seconds),
          standardHeaders(key, body, seconds - 400),
          standardHeaders(key, body, seconds + 400),
          { ...right, "webhook-id": "msg_2" },
          { ...right, "webhook-timestamp": String(seconds - 1) },
          { ...right, "webhook-timestamp": "" },
          { ...right, "webhook-signature": "v1," },
          { ...right, "webhook-signature": (right["webhook-signature"] ?? "").replaceAll("v1,", "v2,") },
          // A valid token doesn't make up for a wrong signature.
          { ...right, ...token, "webhook-signature": "v1,AAAA" }
        ]) {
          expect((yield* attempt("gitlab", body, wrong)).status, JSON.stringify(wrong)).toBe(401)
        }
        expect((yield* attempt("gitlab", `${body} `, right)).status).toBe(401)
        expect((yield* attempt("gitlab", body, right)).json).toMatchObject({ outcome: "queued" })
        expect((yield* attempt("gitlab", pushBody("gitlab"), token)).json).toMatchObject({ outcome: "queued" })
        const [, first] = yield* service.ask(200, "GET", `/applications/${uuid}/webhook-deliveries`)
        expect(first).toMatchObject({ delivery_id: "msg_1" })
      })
    )

    it.effect("use other providers' secrets verbatim, even if they look like Standard Webhooks secrets", () =>
      Effect.gen(function* () {
        const secret = `whsec_${Buffer.from("a key").toString("base64")}`
        const { attempt } = yield* createWebhookApplication({ manual_webhook_secret_forgeA: secret })
        const body = pushBody("github")
        const signed = (key: string) => ({ "x-hub-signature-256": `sha256=${hmac(key, body)}` })
        expect((yield* attempt("github", body, signed("a key"))).status).toBe(401)
        expect((yield* attempt("github", body, signed(secret))).json).toMatchObject({ outcome: "queued" })
      })
    )

    it.effect("accept GitHub's signature header from Gitea, and form bodies from GitHub", () =>
      Effect.gen(function* () {
        const { attempt, deliver, name } = yield* createWebhookApplication()
        const body = pushBody("gitea")
        const signature = { "x-hub-signature-256": `sha256=${hmac(secretOf(name, "gitea"), body)}` }
        expect((yield* attempt("gitea", body, signature)).json).toMatchObject({ outcome: "queued" })
        const form = new URLSearchParams({ payload: pushBody("github") }).toString()
        const headers = { "content-type": "application/x-www-form-urlencoded" }
        expect((yield* deliver("github", form, { headers })).json).toMatchObject({ outcome: "queued" })
        const ping = { "x-github-event": "ping" }
        expect((yield* deliver("github", '{"zen":"Keep it simple."}', { headers: ping })).json).toMatchObject({
          reason: "ping"
        })
      })
    )

    it.effect("deploy nothing if the application doesn't follow the pushed ref, and report the reason", () =>
      Effect.gen(function* () {
        const reasonFor = Effect.fnUntraced(function* (body: Body, raw = pushBody("github"), of?: "dockerimage") {
          const { deliver, deployments } = yield* createWebhookApplication(body, of)
          const { json } = yield* deliver("github", raw)
          expect(yield* deployments).toHaveLength(json.outcome === "queued" ? 1 : 0)
          return json.reason
        })
        const zeros = "0".repeat(40)
        expect(yield* reasonFor({ is_auto_deploy_enabled: false })).toBe("auto_deploy_off")
        expect(yield* reasonFor({ git_branch: "release" })).toBe("other_branch")
        expect(yield* reasonFor({ git_commit_sha: commit })).toBe("commit_pinned")
        expect(yield* reasonFor({ git_commit_sha: "HEAD" })).toBe(null)
        expect(yield* reasonFor({}, pushBody("github", { commit: zeros }))).toBe("branch_deleted")
        expect(yield* reasonFor({}, pushBody("github").replace("refs/heads/main", "refs/tags/main"))).toBe("tag")
        expect(yield* reasonFor({}, undefined, "dockerimage")).toBe("not_from_git")
      })
    )

    it.effect("deploy a push that changes watched paths, or that doesn't list its paths", () =>
      Effect.gen(function* () {
        const watch_paths = "/apps/web/**\npackages/\n!**/*.md\npackages/docs/*.md"
        const { deliver } = yield* createWebhookApplication({ watch_paths })
        const reasonFor = Effect.fnUntraced(function* (provider: Provider, changed: ReadonlyArray<string>) {
          const { json } = yield* deliver(provider, pushBody(provider, { changed }))
          return json.reason
        })
        for (const provider of ["github", "gitlab", "gitea"] as const) {
          expect(yield* reasonFor(provider, ["apps/web/src/a.ts"])).toBe(null)
          expect(yield* reasonFor(provider, ["README.md", "packages/a.ts"])).toBe(null)
          expect(yield* reasonFor(provider, ["packages/docs/a.md"])).toBe(null)
          expect(yield* reasonFor(provider, ["packages/a/README.md", "apps/api/a.ts"])).toBe("nothing_watched")
        }
        expect(yield* reasonFor("bitbucket", [])).toBe(null)
        const cut = JSON.stringify({ ...JSON.parse(pushBody("gitlab", { changed: ["x"] })), total_commits_count: 21 })
        expect((yield* deliver("gitlab", cut)).json).toMatchObject({ outcome: "queued" })
      })
    )

    it.effect("are listed newest first, for one application only (I22)", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const one = yield* createWebhookApplication()
        const other = yield* createWebhookApplication()
        const sent: Array<string> = []
        for (const each of [one, other, one, one]) {
          const { json } = yield* each.deliver("gitea", pushBody("gitea"))
          if (each === one) sent.unshift(json.delivery_uuid)
        }
        const uuidsAt = (query: string) =>
          Effect.map(
            service.ask(200, "GET", `/applications/${one.uuid}/webhook-deliveries${query}`),
            (rows: ReadonlyArray<{ readonly uuid: string }>) => rows.map(({ uuid }) => uuid)
          )
        expect(yield* uuidsAt("")).toEqual(sent)
        expect(yield* uuidsAt("?skip=1&take=1")).toEqual(sent.slice(1, 2))
        yield* service.ask(400, "GET", `/applications/${one.uuid}/webhook-deliveries?take=101`)
        yield* service.ask(404, "GET", "/applications/nowhere/webhook-deliveries")
        yield* service.ask(200, "DELETE", `/applications/${one.uuid}`)
        yield* service.ask(404, "GET", `/webhook-deliveries/${sent[0]}`)
        expect(yield* other.deliveries).toHaveLength(1)
        expect((yield* one.deliver("gitea", pushBody("gitea"))).status).toBe(401)
      })
    )

    it.effect("expose no secret in responses or logs (I15)", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const { deliver, deliveries, name } = yield* createWebhookApplication()
        yield* deliver("github", pushBody("github"))
        yield* deliver("gitlab", pushBody("gitlab"), { headers: { "x-gitlab-token": "wrong" } })
        expect(JSON.stringify(yield* deliveries)).not.toMatch(/🤫|signature/)
        expect(service.logged.join("\n")).not.toContain(secretOf(name, "github"))
      })
    )
  })
}

plainIt.effect("a webhook that fails stores nothing and can be retried", () =>
  Effect.gen(function* () {
    let isBroken = true
    const breaking = Layer.effect(
      DeploymentStore,
      Effect.map(DeploymentStore, (store) => ({
        ...store,
        insert: (row: Parameters<typeof store.insert>[0]) =>
          Effect.tap(store.insert(row), () => (isBroken ? Effect.die(new Error("broken")) : Effect.void))
      }))
    )
    const service = yield* start(Layer.provideMerge(breaking, memory))
    const rig = { service, world: yield* makeWorld(service) }
    const { deliver, deliveries, deployments } = yield* Effect.provideService(createWebhookApplication(), Api, rig)
    const body = pushBody("github")
    expect((yield* deliver("github", body)).status).toBe(500)
    expect([yield* deliveries, yield* deployments]).toEqual([[], []])
    isBroken = false
    expect((yield* deliver("github", body)).json).toMatchObject({ outcome: "queued" })
    expect((yield* deliver("github", body)).status).toBe(409)
  })
)
