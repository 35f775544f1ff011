import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"
import { makeTeam } from "../support/members.ts"

const body = {
  name: "images",
  registry: "Registry.Example:5000/team",
  username: "robot",
  password: "the-registry-password"
}

for (const store of storeNames) {
  withApi(store)(`credentials for registries over ${store}`, (it) => {
    it.effect("are created, returned without the password, changed and deleted (I15)", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const { uuid } = yield* service.ask(201, "POST", "/registries", body)
        const path = `/registries/${uuid}`
        const shown = yield* service.ask(200, "GET", path)
        expect(shown).toEqual({
          id: shown.id,
          uuid,
          name: "images",
          description: "",
          registry: "registry.example:5000/team",
          username: "robot",
          team_id: 0,
          created_at: expect.any(String),
          updated_at: expect.any(String)
        })
        expect(yield* service.ask(200, "GET", "/registries")).toContainEqual(shown)
        const changed = yield* service.ask(200, "PATCH", path, { username: "other", password: "another-password" })
        expect(changed).toMatchObject({ username: "other", registry: "registry.example:5000/team" })
        const stored = JSON.stringify(yield* service.dump)
        for (const secret of [body.password, "another-password"]) expect(stored).not.toContain(secret)
        expect(yield* service.ask(200, "DELETE", path)).toEqual({ message: "Credentials of the registry deleted." })
        yield* service.ask(404, "GET", path)
      })
    )

    it.effect("need the password again for another registry or user, if the token cannot read secrets", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const login = { ...body, registry: "moved.example" }
        const { uuid } = yield* service.ask(201, "POST", "/registries", login)
        const path = `/registries/${uuid}`
        const { text: token } = yield* service.mint("read", "write")
        for (const change of [{ registry: "evil.example" }, { username: "other" }]) {
          const refused = yield* service.ask(400, "PATCH", path, change, { token })
          expect(refused.errors).toEqual({
            password: [
              "Must be sent again with another registry or user name, unless the token has `read:sensitive` or `root`."
            ]
          })
        }
        expect(yield* service.ask(200, "GET", path)).toMatchObject({ registry: "moved.example", username: "robot" })
        const same = { name: "renamed", registry: "MOVED.example/", username: "robot" }
        yield* service.ask(200, "PATCH", path, same, { token })
        yield* service.ask(200, "PATCH", path, { registry: "own.example", password: "mine" }, { token })
        yield* service.ask(200, "PATCH", path, { username: "other" })
      })
    )

    it.effect("are unique for a registry or namespace within a team, and hidden from other teams", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const login = { ...body, registry: "unique.example/team" }
        const { uuid } = yield* service.ask(201, "POST", "/registries", login)
        yield* service.ask(409, "POST", "/registries", { ...login, registry: "UNIQUE.example/team/" })
        yield* service.ask(201, "POST", "/registries", { ...login, registry: "unique.example" })
        const other = yield* makeTeam(service, "other")
        yield* service.ask(404, "GET", `/registries/${uuid}`, undefined, { token: other.token })
        yield* service.ask(201, "POST", "/registries", login, { token: other.token })
        expect(yield* service.ask(200, "GET", "/registries", undefined, { token: other.token })).toHaveLength(1)
      })
    )

    it.effect("refuse an address with a scheme, and a user name with a colon", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        for (const [field, value] of [
          ["registry", "https://registry.example"],
          ["registry", "user@registry.example"],
          ["username", "a:b"],
          ["password", ""]
        ] as const) {
          const refused = yield* service.ask(400, "POST", "/registries", { ...body, [field]: value })
          expect(Object.keys(refused.errors)).toEqual([field])
        }
      })
    )
  })
}
