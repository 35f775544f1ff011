import { createHmac } from "node:crypto"
import { expect, vi } from "@effect/vitest"
import { Effect } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"

for (const store of storeNames) {
  withApi(store)(`over ${store}`, (it) => {
    it.effect("project names are unique, ignoring case", () =>
      Effect.gen(function* () {
        const { ask } = (yield* Api).service
        const { uuid } = yield* ask(201, "POST", "/projects", { name: "Shop" })
        const other = yield* ask(201, "POST", "/projects", { name: "Blog" })
        const taken = { message: "This project name is already taken." }
        expect(yield* ask(409, "POST", "/projects", { name: "sHOP" })).toEqual(taken)
        expect(yield* ask(409, "PATCH", `/projects/${other.uuid}`, { name: "shop" })).toEqual(taken)
        yield* ask(201, "PATCH", `/projects/${uuid}`, { name: "SHOP" })
      })
    )

    it.effect("the last token with `root` can't be revoked, even by two concurrent revocations", () =>
      Effect.gen(function* () {
        const { ask, mint, send } = (yield* Api).service
        const [last, ...more] = (yield* ask(200, "GET", "/tokens")).filter(
          (token: { abilities: ReadonlyArray<string> }) => token.abilities.includes("root")
        )
        expect(more).toEqual([])
        const past = yield* mint("read")
        expect(yield* ask(409, "DELETE", `/tokens/${last.uuid}`)).toEqual({
          message: "This is the last token with `root`: create another one before you revoke it."
        })
        yield* ask(200, "DELETE", `/tokens/${past.uuid}`)
        const second = yield* mint("root")
        const answers = yield* Effect.all(
          [
            send("DELETE", `/api/v1/tokens/${second.uuid}`, { token: second.text }),
            send("DELETE", `/api/v1/tokens/${second.uuid}`)
          ],
          { concurrency: 2 }
        )
        expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
        yield* ask(409, "DELETE", `/tokens/${last.uuid}`)
      })
    )

    it.effect("a body is parsed once, regardless of its length", () =>
      Effect.gen(function* () {
        const { ask } = (yield* Api).service
        const parse = vi.spyOn(JSON, "parse")
        try {
          for (const length of [10, 6_000]) {
            const description = `once ${length} `.padEnd(length, "x")
            const { uuid } = yield* ask(201, "POST", "/projects", { name: `once ${length}`, description })
            yield* ask(200, "DELETE", `/projects/${uuid}`)
            const parsed = parse.mock.calls.filter(([text]) => String(text).includes(description))
            expect(parsed).toHaveLength(1)
          }
        } finally {
          parse.mockRestore()
        }
      })
    )

    it.effect("a signed body is accepted once, even under another provider's path", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const secrets = { manual_webhook_secret_forgeA: "one", manual_webhook_secret_forgeD: "one" }
        const { uuid } = yield* service.ask(201, "POST", "/applications/public", {
          ...world.minimal.public,
          ...secrets
        })
        const body = JSON.stringify({
          ref: "refs/heads/main",
          after: "a".repeat(40),
          head_commit: { id: "a".repeat(40) }
        })
        const signature = createHmac("sha256", "one").update(body).digest("hex")
        const deliver = (provider: string, headers: Record<string, string>) =>
          service.send("POST", `/api/v1/applications/${uuid}/webhooks/${provider}`, {
            token: undefined,
            raw: body,
            headers
          })
        const github = { "x-github-event": "push", "x-hub-signature-256": `sha256=${signature}` }
        expect((yield* deliver("github", github)).status).toBe(200)
        expect((yield* deliver("gitea", { "x-gitea-event": "push", "x-gitea-signature": signature })).status).toBe(409)
      })
    )

    it.effect("every response forbids caching and content sniffing", () =>
      Effect.gen(function* () {
        const { send } = (yield* Api).service
        for (const [path, token] of [
          ["/api/v1/projects"],
          ["/api/v1/nothing"],
          ["/api/v1/applications", "wrong"],
          ["/docs"],
          ["/api/v1/openapi.json"]
        ] as const) {
          const { headers } = yield* send("GET", path, token === undefined ? {} : { token })
          expect([headers.get("x-content-type-options"), headers.get("cache-control")], path).toEqual([
            "nosniff",
            "no-store"
          ])
        }
      })
    )
  })
}
