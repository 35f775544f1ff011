import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { Api, withApi } from "../support/api.ts"
import { makeMember, makeTeam } from "../support/members.ts"

interface Shown {
  readonly id: number
  readonly type: string
  readonly uuid: string
  readonly name: string
}

const uuids = (rows: ReadonlyArray<Shown>) => rows.map(({ uuid }) => uuid)

for (const store of ["memory", "embedded PostgreSQL"] as const) {
  withApi(store)(`objects of actions: ${store}`, (it) => {
    it.effect("GET /access/objects lists the objects for which the token gets a positive check, by id", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask, project } = service
        const applications = [yield* world.create("dockerimage"), yield* world.create("dockerimage")] as const
        const [first] = applications
        const viewer = yield* makeMember(service, "vera", [{ role: "viewer", type: "project", uuid: project }])
        const deployer = yield* makeMember(service, "dan", [
          { role: "viewer", type: "project", uuid: project },
          { role: "deployer", type: "application", uuid: first }
        ])
        const nobody = yield* makeMember(service, "nora", [])
        const objects = (action: string, token?: string) =>
          ask(200, "GET", `/access/objects?action=${action}`, undefined, token === undefined ? {} : { token })
        expect(uuids(yield* objects("application.deploy", deployer.token))).toEqual([first])
        expect(uuids(yield* objects("application.read", viewer.token))).toEqual(applications)
        expect(yield* objects("application.deploy", viewer.token)).toEqual([])
        expect(yield* objects("application.read", nobody.token)).toEqual([])
        // Parts of an object are listed by the object.
        expect(uuids(yield* objects("application.variable.delete"))).toEqual(applications)
        const own = yield* ask(200, "GET", "/applications")
        const listed: ReadonlyArray<Shown> = yield* objects("application.read")
        expect(listed.map(({ name, type, uuid }) => ({ name, type, uuid }))).toEqual(
          own.map((each: Shown) => ({ name: each.name, type: "application", uuid: each.uuid }))
        )

        const actions = ["application.update", "project.update", "environment.read", "server.read", "key.read"]
        for (const action of actions) {
          const all: ReadonlyArray<Shown> = yield* objects(action)
          expect(all.length, action).toBeGreaterThan(0)
          for (const { token } of [viewer, deployer, nobody]) {
            const checks = all.map(({ uuid }) => ({ action, object: uuid }))
            const answers: ReadonlyArray<{ readonly allowed: boolean }> = yield* ask(
              200,
              "POST",
              "/access/check",
              { checks },
              { token }
            )
            const allowed = uuids(all).filter((_, at) => answers[at]?.allowed === true)
            expect(uuids(yield* objects(action, token)), action).toEqual(allowed)
          }
        }
      })
    )

    it.effect("GET /access/objects reads pages after an id", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        for (let n = 0; n < 3; n++) yield* world.create("dockerimage")
        const path = "/access/objects?action=application.read"
        const all: ReadonlyArray<Shown> = yield* ask(200, "GET", path)
        const pages: Array<Shown> = []
        for (let after = 0; ; ) {
          const page: ReadonlyArray<Shown> = yield* ask(200, "GET", `${path}&limit=2&after=${after}`)
          pages.push(...page)
          expect(page.length).toBe(Math.min(2, all.length - pages.length + page.length))
          if (page.length === 0) break
          after = page.at(-1)?.id ?? 0
        }
        expect(all.length).toBeGreaterThan(2)
        expect(pages).toEqual(all)
        for (const wrong of ["limit=0", "limit=1001", "after=-1"]) {
          yield* ask(400, "GET", `/access/objects?action=application.read&${wrong}`)
        }
      })
    )

    it.effect("GET /access/objects answers about a member only to callers who may list the members", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        const application = yield* world.create("dockerimage")
        const viewer = yield* makeMember(service, "vera", [])
        const developer = yield* makeMember(service, "dev", [{ role: "developer" }])
        yield* ask(201, "POST", "/grants", {
          account_uuid: viewer.account.uuid,
          place_type: "application",
          place_uuid: application,
          role: "viewer"
        })
        const about = (action: string, account: string) => `/access/objects?action=${action}&account_uuid=${account}`
        const reading = about("application.read", viewer.account.uuid)
        expect(uuids(yield* ask(200, "GET", reading))).toEqual([application])
        expect(yield* ask(200, "GET", about("application.deploy", viewer.account.uuid))).toEqual([])
        const all = uuids(yield* ask(200, "GET", "/access/objects?action=application.deploy"))
        expect(uuids(yield* ask(200, "GET", about("application.deploy", developer.account.uuid)))).toEqual(all)
        yield* ask(403, "GET", reading, undefined, { token: developer.token })
        const other = yield* makeTeam(service, "others")
        const problem = { account_uuid: ["Is not an enabled member of the team."] }
        expect((yield* ask(400, "GET", reading, undefined, { token: other.token })).errors).toEqual(problem)
        yield* ask(200, "PATCH", `/accounts/${viewer.account.uuid}`, { is_disabled: true })
        expect((yield* ask(400, "GET", reading)).errors).toEqual(problem)
      })
    )

    it.effect("GET /access/objects rejects unknown actions, and actions without objects to list", () =>
      Effect.gen(function* () {
        const { ask } = (yield* Api).service
        const problems = (action: string) =>
          Effect.map(ask(400, "GET", `/access/objects?action=${action}`), ({ errors }) => errors.action)
        expect(yield* problems("application.fly")).toEqual(["There is no such action."])
        expect(yield* problems("project.create")).toEqual(["Applies to `platform`: its objects cannot be listed."])
        expect(yield* problems("deployment.read")).toEqual(["Applies to `deployment`: its objects cannot be listed."])
        expect(yield* problems("team.update")).toEqual(["Applies to `team`: its objects cannot be listed."])
      })
    )
  })
}
