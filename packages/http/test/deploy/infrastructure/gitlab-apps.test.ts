import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"
import { makeTeam } from "../support/members.ts"
import { makeWorld } from "../support/world.ts"

const body = { name: "gitlab", html_url: "https://gitlab.example/" }
const push = {
  object_kind: "push",
  ref: "refs/heads/main",
  checkout_sha: "0123456789abcdef0123456789abcdef01234567",
  commits: []
}

for (const store of storeNames) {
  withApi(store)(`GitLab apps over ${store}`, (it) => {
    it.effect("are created with a generated token, changed and deleted by number or UUID", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const made = yield* service.ask(201, "POST", "/gitlab-apps", body)
        const { webhook_token: token, ...shown } = made
        expect(token).toMatch(/^[\w-]{43}$/)
        expect(shown).toEqual({
          id: made.id,
          uuid: made.uuid,
          name: "gitlab",
          html_url: "https://gitlab.example",
          api_url: "https://gitlab.example/api/v4",
          custom_user: "git",
          custom_port: 22,
          group_name: null,
          client_id: null,
          redirect_uri: null,
          is_system_wide: false,
          is_public: false,
          team_id: 0,
          created_at: expect.any(String),
          updated_at: expect.any(String)
        })
        expect(yield* service.ask(200, "GET", "/gitlab-apps")).toContainEqual(shown)
        const change = {
          custom_port: 2_222,
          group_name: "acme, tools/infra",
          api_url: "https://gitlab.example/api/v4/"
        }
        const { data, message } = yield* service.ask(200, "PATCH", `/gitlab-apps/${made.id}`, change)
        expect(message).toBe("GitLab app updated successfully")
        expect(data).toMatchObject({ custom_port: 2_222, group_name: "acme, tools/infra" })
        const other = yield* makeTeam(service, "other")
        yield* service.ask(404, "DELETE", `/gitlab-apps/${made.id}`, undefined, { token: other.token })
        expect(yield* service.ask(200, "DELETE", `/gitlab-apps/${made.uuid}`)).toEqual({
          message: "GitLab app deleted successfully"
        })
        yield* service.ask(404, "DELETE", `/gitlab-apps/${made.uuid}`)
      })
    )

    it.effect("refuse settings without an effect, such as an OAuth2 client or another API", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        for (const [field, value] of [
          ["client_id", "id"],
          ["client_secret", "secret"],
          ["redirect_uri", "https://deploy.example/callback"],
          ["is_system_wide", true],
          ["api_url", "https://elsewhere.example/api/v4"],
          ["html_url", "https://gitlab.example/path"],
          ["custom_user", "-o"],
          ["group_name", "../x"]
        ] as const) {
          const refused = yield* service.ask(400, "POST", "/gitlab-apps", { ...body, [field]: value })
          expect(Object.keys(refused.errors)).toEqual([field])
        }
      })
    )

    it.effect("accept webhooks of the repositories of their groups with their token, and no others", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const world = yield* makeWorld(service)
        const app = yield* service.ask(201, "POST", "/gitlab-apps", {
          ...body,
          html_url: "https://hooks.example",
          group_name: "acme",
          webhook_token: "the-shared-token"
        })
        expect(app.webhook_token).toBe(null)
        const deliver = Effect.fnUntraced(function* (git_repository: string, token: string) {
          const uuid = yield* world.create("public", { git_repository, git_branch: "main" })
          const sent = yield* service.send("POST", `/api/v1/applications/${uuid}/webhooks/gitlab`, {
            headers: { "content-type": "application/json", "x-gitlab-event": "Push Hook", "x-gitlab-token": token },
            raw: JSON.stringify(push)
          })
          return sent.status
        })
        expect(yield* deliver("https://hooks.example/acme/shop", "the-shared-token")).toBe(200)
        expect(yield* deliver("https://hooks.example/acme/shop", "another-token")).toBe(401)
        expect(yield* deliver("https://hooks.example/other/shop", "the-shared-token")).toBe(401)
        expect(yield* deliver("https://elsewhere.example/acme/shop", "the-shared-token")).toBe(401)
      })
    )
  })
}
