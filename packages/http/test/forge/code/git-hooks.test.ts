import { describe, expect, it } from "@effect/vitest"
import { type RepositoryId, SiteSettings } from "@slipway/domain/forge/base"
import { GitHooks } from "@slipway/forge/code"
import { Effect } from "effect"
import { basic, start } from "../support/harness.ts"

const bob = { headers: basic("bob") }
const root = { headers: basic("root") }
const at = "/repos/bob/site/hooks/git"
const content = "#!/bin/sh\nexit 1\n"

const site = (gitHooks: boolean) =>
  Effect.gen(function* () {
    const api = yield* start({ switches: { gitHooks } })
    yield* api.user("bob")
    yield* api.user("root", { admin: true })
    const { id } = yield* api.ask(201, "POST", "/user/repos", { ...bob, body: { name: "site" } })
    return { api, id: id as RepositoryId }
  })

describe("git hooks", () => {
  it.live("require permission to edit them, and are disabled where the site disables them", () =>
    Effect.gen(function* () {
      const off = yield* site(false)
      yield* off.api.ask(403, "GET", at, root)
      yield* off.api.ask(403, "PATCH", `${at}/update`, { ...root, body: { content } })
      const { api } = yield* site(true)
      for (const [method, path] of [
        ["GET", at],
        ["GET", `${at}/update`],
        ["PATCH", `${at}/update`],
        ["DELETE", `${at}/update`]
      ] as const) {
        const refused = yield* api.ask(403, method, path, {
          ...bob,
          ...(method === "PATCH" ? { body: { content } } : {})
        })
        expect(refused.message).toBe("must be allowed to edit Git hooks")
      }
      yield* api.ask(200, "PATCH", "/admin/users/bob", { ...root, body: { allow_git_hook: true } })
      yield* api.ask(200, "PATCH", `${at}/update`, { ...bob, body: { content } })
    })
  )

  it.live("are listed, set, read and removed, and run only where the site enables them", () =>
    Effect.gen(function* () {
      const { api, id } = yield* site(true)
      const none = (name: string) => ({ name, is_active: false, content: "" })
      expect(yield* api.ask(200, "GET", at, root)).toEqual(["pre-receive", "update", "post-receive"].map(none))
      const made = yield* api.ask(200, "PATCH", `${at}/pre-receive`, {
        ...root,
        body: { content: content.replaceAll("\n", "\r\n") }
      })
      expect(made).toEqual({ name: "pre-receive", is_active: true, content })
      expect(yield* api.ask(200, "GET", `${at}/pre-receive`, root)).toEqual(made)
      expect(yield* api.within(GitHooks.runOn(id))).toMatchObject([{ name: "pre-receive", content }])
      // A site that disables them runs no stored hooks.
      expect(yield* api.within(Effect.provide(GitHooks.runOn(id), SiteSettings.layer()))).toEqual([])
      const wrong = yield* api.ask(422, "PATCH", `${at}/update`, { ...root, body: { content: "exit 1" } })
      expect(wrong.message).toContain("[content]: must begin with an interpreter line")
      yield* api.ask(404, "GET", `${at}/post-checkout`, root)
      yield* api.ask(404, "PATCH", `${at}/..%2Fconfig`, { ...root, body: { content } })
      yield* api.ask(204, "DELETE", `${at}/pre-receive`, root)
      expect(yield* api.ask(200, "GET", `${at}/pre-receive`, root)).toEqual(none("pre-receive"))
      expect(yield* api.within(GitHooks.runOn(id))).toEqual([])
    })
  )
})
