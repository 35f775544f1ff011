import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { Api, withApi } from "../support/api.ts"
import { makeMember } from "../support/members.ts"

interface Shown {
  readonly name: string
  readonly needs_approval: boolean
  readonly grants: ReadonlyArray<{ readonly role: string; readonly place_type: string }>
}

const summary = (rows: ReadonlyArray<Shown>, names: ReadonlyArray<string>) =>
  rows
    // The names of members end with a number.
    .map((row) => ({ ...row, name: row.name.replace(/-[0-9]+$/, "") }))
    .filter(({ name }) => names.includes(name))
    .map(({ grants, name, needs_approval: waits }) => [
      name,
      waits,
      grants.map(({ place_type: type, role }) => `${role} on ${type}`)
    ])

for (const store of ["memory", "embedded PostgreSQL"] as const) {
  withApi(store)(`deploy permissions: ${store}`, (it) => {
    it.effect("lists exactly the members that may deploy, with the grants that allow it", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask, environment, project } = service
        const application = yield* world.create("dockerimage")
        const other = yield* world.create("dockerimage")
        const people = {
          viewer: yield* makeMember(service, "vera", [{ role: "viewer", type: "project", uuid: project }]),
          developer: yield* makeMember(service, "dev", [{ role: "developer", type: "project", uuid: project }]),
          deployer: yield* makeMember(service, "ops", [{ role: "deployer", type: "environment", uuid: environment }]),
          narrow: yield* makeMember(service, "one", [{ role: "deployer", type: "application", uuid: application }]),
          nobody: yield* makeMember(service, "none", [])
        }
        const names = ["vera", "dev", "ops", "one", "none"]
        const path = `/applications/${application}/deployers`
        const before = yield* ask(200, "GET", path)
        expect(summary(before, names)).toEqual([
          ["dev", false, ["developer on project"]],
          ["ops", false, ["deployer on environment"]],
          ["one", false, ["deployer on application"]]
        ])
        // Accounts of an instance with tokens: the root token owns its team.
        expect(before.filter(({ type }: { readonly type: string }) => type === "token")).not.toEqual([])

        yield* ask(200, "PATCH", `/projects/${project}/environments/${environment}`, { is_protected: true })
        expect(summary(yield* ask(200, "GET", path), names)).toEqual([
          ["dev", true, ["developer on project"]],
          ["ops", false, ["deployer on environment"]],
          ["one", false, ["deployer on application"]]
        ])
        const ofEnvironment = `/projects/${project}/environments/${environment}/deployers`
        expect(summary(yield* ask(200, "GET", ofEnvironment), names)).toEqual([
          ["dev", true, ["developer on project"]],
          ["ops", false, ["deployer on environment"]]
        ])
        expect(summary(yield* ask(200, "GET", `/applications/${other}/deployers`), names)).toEqual([
          ["dev", true, ["developer on project"]],
          ["ops", false, ["deployer on environment"]]
        ])
        // The requests themselves decide alike.
        const start = (member: { readonly token: string }) =>
          Effect.map(
            service.send("POST", `/api/v1/applications/${application}/start`, { token: member.token }),
            ({ json, status }) => [status, json.message]
          )
        expect([
          yield* start(people.viewer),
          yield* start(people.developer),
          yield* start(people.deployer),
          yield* start(people.narrow),
          yield* start(people.nobody)
        ]).toEqual([
          [403, expect.any(String)],
          [200, "The deployment waits for an approval."],
          [200, "Deployment request queued."],
          [200, "Deployment request queued."],
          [403, expect.any(String)]
        ])
        yield* ask(200, "PATCH", `/projects/${project}/environments/${environment}`, { is_protected: false })
      })
    )

    it.effect("needs the capability `members`, and does not list disabled accounts", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask, project } = service
        const application = yield* world.create("dockerimage")
        const developer = yield* makeMember(service, "erin", [{ role: "developer", type: "project", uuid: project }])
        const admin = yield* makeMember(service, "adam", [{ role: "admin", type: "project", uuid: project }])
        const path = `/applications/${application}/deployers`
        yield* ask(403, "GET", path, undefined, { token: developer.token })
        const listed = yield* ask(200, "GET", path, undefined, { token: admin.token })
        // Grants above the application need `members` on the team.
        expect(summary(listed, ["erin", "adam"])).toEqual([
          ["erin", false, []],
          ["adam", false, []]
        ])
        const [erin] = listed.filter(({ name }: Shown) => name.startsWith("erin-"))
        expect(erin.steps.at(-1)).toMatchObject({ check: "role-operate", passed: true })
        yield* ask(200, "PATCH", `/accounts/${developer.account.uuid}`, { is_disabled: true })
        expect(summary(yield* ask(200, "GET", path), ["erin", "adam"])).toEqual([["adam", false, ["admin on project"]]])
        yield* ask(404, "GET", "/applications/aaaaaaaaaaaaaaaaaaaaaaaa/deployers", undefined, { token: admin.token })
      })
    )

    it.effect("omits tokens and grants that the caller may not read, and grants that do not matter", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask, environment, project } = service
        const application = yield* world.create("dockerimage")
        const onProject = { type: "project", uuid: project } as const
        yield* makeMember(service, "hal", [
          { role: "deployer", type: "application", uuid: application },
          { role: "admin" }
        ])
        const admin = yield* makeMember(service, "pat", [{ role: "admin", ...onProject }])
        const manager = yield* makeMember(service, "tea", [{ role: "admin" }])
        const guard = yield* ask(201, "POST", "/roles", { name: "guard", capabilities: ["view", "protection"] })
        const mixed = yield* makeMember(service, "mix", [
          { role: "deployer", ...onProject },
          { role: guard.uuid, ...onProject }
        ])
        const path = `/applications/${application}/deployers`
        const tokens = (rows: ReadonlyArray<{ readonly type: string }>) => rows.filter(({ type }) => type === "token")
        const asAdmin = yield* ask(200, "GET", path, undefined, { token: admin.token })
        expect(summary(asAdmin, ["hal", "mix"])).toEqual([
          ["hal", false, ["deployer on application"]],
          ["mix", false, []]
        ])
        expect(tokens(asAdmin)).toEqual([])
        const asManager = yield* ask(200, "GET", path, undefined, { token: manager.token })
        expect(summary(asManager, ["hal", "mix"])).toEqual([
          ["hal", false, ["deployer on application", "admin on team"]],
          ["mix", false, ["deployer on project"]]
        ])
        expect(tokens(asManager)).toEqual([])
        expect(tokens(yield* ask(200, "GET", path))).not.toEqual([])
        yield* ask(200, "PATCH", `/projects/${project}/environments/${environment}`, { is_protected: true })
        expect(summary(yield* ask(200, "GET", path), ["mix"])).toEqual([
          ["mix", false, ["deployer on project", "guard on project"]]
        ])
        yield* ask(200, "PATCH", `/projects/${project}/environments/${environment}`, { is_protected: false })
        yield* ask(200, "DELETE", `/teams/0/members/${mixed.account.uuid}`)
      })
    )

    it.effect("decides checks of registries, S3 storages and GitLab apps as the requests themselves", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const { ask } = service
        const registry = yield* ask(201, "POST", "/registries", { registry: "r.test", username: "u", password: "p" })
        const gitlab = yield* ask(201, "POST", "/gitlab-apps", { name: "lab", html_url: "https://gitlab.test" })
        const checks = [
          { action: "registry.update", object: registry.uuid },
          { action: "gitlabApp.delete", object: gitlab.uuid },
          { action: "s3Storage.update", object: registry.uuid }
        ]
        const answers = yield* ask(200, "POST", "/access/check", { checks })
        expect(answers.map(({ status }: { readonly status: number }) => status)).toEqual([200, 200, 404])
      })
    )
  })
}
