import { expect } from "@effect/vitest"
import { AccountStore, AccountUuid, TeamId, TeamStore } from "@slipway/domain/deploy/identity"
import { Effect } from "effect"
import { Api, withApi } from "../support/api.ts"
import { listen } from "../support/listen.ts"
import { makeMember, makeTeam } from "../support/members.ts"

interface Shown {
  readonly name: string
  readonly account_uuid: string
  readonly allowed: boolean
  readonly status: number
  readonly because: string
}

const answers = (rows: ReadonlyArray<Shown>) =>
  Object.fromEntries(rows.map(({ allowed, name, status }) => [name.split("-")[0], [allowed, status]]))

for (const store of ["memory", "embedded PostgreSQL"] as const) {
  withApi(store)(`access of members: ${store}`, (it) => {
    it.effect("GET /access/subjects lists who may perform an action, as each member's token decides", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask, project } = service
        const application = yield* world.create("dockerimage")
        const viewer = yield* makeMember(service, "vera", [{ role: "viewer", type: "project", uuid: project }])
        const developer = yield* makeMember(service, "dev", [{ role: "developer", type: "project", uuid: project }])
        const grouped = yield* makeMember(service, "gil", [])
        const nobody = yield* makeMember(service, "nora", [])
        const disabled = yield* makeMember(service, "dora", [{ role: "owner" }])
        yield* ask(200, "PATCH", `/accounts/${disabled.account.uuid}`, { is_disabled: true })
        const role = yield* ask(201, "POST", "/roles", { name: "restarter", capabilities: ["view", "operate"] })
        const group = yield* ask(201, "POST", "/teams/0/groups", { name: "Restarters" })
        yield* ask(201, "POST", `/teams/0/groups/${group.uuid}/members`, { account_uuid: grouped.account.uuid })
        const place = { place_type: "application", place_uuid: application }
        yield* ask(201, "POST", "/grants", { group_uuid: group.uuid, ...place, role: role.uuid })

        const subjects = (action: string) =>
          ask(200, "GET", `/access/subjects?action=${action}&object=${application}`) as Effect.Effect<
            ReadonlyArray<Shown>
          >
        const deploying = yield* subjects("application.deploy")
        expect(answers(deploying)).toEqual({
          vera: [false, 403],
          dev: [true, 200],
          gil: [true, 200],
          nora: [false, 403]
        })
        expect(deploying.find(({ account_uuid }) => account_uuid === viewer.account.uuid)?.because).toContain("operate")
        expect(answers(yield* subjects("application.update"))).toMatchObject({
          dev: [true, 200],
          gil: [false, 403]
        })
        for (const action of ["application.read", "application.deploy", "application.secrets", "team.update"]) {
          const object = action.startsWith("application") ? { object: application } : {}
          const query = new URLSearchParams({ action, ...object })
          const rows: ReadonlyArray<Shown> = yield* ask(200, "GET", `/access/subjects?${query}`)
          for (const { account, token } of [viewer, developer, grouped, nobody]) {
            const [own] = yield* ask(200, "POST", "/access/check", { checks: [{ action, ...object }] }, { token })
            const row = rows.find(({ account_uuid }) => account_uuid === account.uuid)
            expect([row?.allowed, row?.status, row?.because], `${action} ${account.name}`).toEqual([
              own.allowed,
              own.status,
              own.because
            ])
          }
        }
      })
    )

    it.effect(
      "GET /access/subjects rejects members without `members`, and objects of other teams like missing ones",
      () =>
        Effect.gen(function* () {
          const { service, world } = yield* Api
          const { ask } = service
          const application = yield* world.create("dockerimage")
          const path = `/access/subjects?action=application.read&object=${application}`
          const { token } = yield* makeMember(service, "dev", [{ role: "developer" }])
          const other = yield* makeTeam(service, "others")
          for (const each of [path, path.replace("subjects", "subjects/stream")]) {
            yield* ask(403, "GET", each, undefined, { token })
            const hidden = yield* ask(400, "GET", each, undefined, { token: other.token })
            expect(hidden).toEqual(
              yield* ask(400, "GET", each.replace(application, "nowhere"), undefined, { token: other.token })
            )
            expect(hidden.errors).toEqual({ object: ["There is no such application in the team."] })
            const unknown = yield* ask(400, "GET", each.replace("application.read", "application.fly"))
            expect(unknown.errors).toEqual({ action: ["There is no such action."] })
          }
        })
    )

    it.effect(
      "GET /access/subjects/stream sends the decisions, then those that change, until the object is deleted",
      () =>
        Effect.gen(function* () {
          const { service, world } = yield* Api
          const { ask, project } = service
          const application = yield* world.create("dockerimage")
          const { account } = yield* makeMember(service, "sam", [])
          const stream = yield* listen(service, `/access/subjects/stream?action=application.read&object=${application}`)
          const of = (uuid: string) =>
            stream.heard.flatMap(({ data, event }) =>
              ((data.subjects ?? []) as ReadonlyArray<Shown>)
                .filter(({ account_uuid }) => account_uuid === uuid)
                .map(({ allowed }) => `${event} ${allowed}`)
            )
          yield* stream.until(() => of(account.uuid).length === 1)
          const body = { account_uuid: account.uuid, place_type: "project", place_uuid: project, role: "viewer" }
          const grant = yield* ask(201, "POST", "/grants", body)
          yield* stream.until(() => of(account.uuid).length === 2)
          // Another role that allows the same is no change.
          const second = yield* ask(201, "POST", "/grants", { ...body, role: "developer" })
          yield* ask(200, "DELETE", `/grants/${grant.uuid}`)
          yield* ask(200, "DELETE", `/grants/${second.uuid}`)
          yield* stream.until(() => of(account.uuid).length === 3)
          yield* ask(201, "POST", "/grants", body)
          yield* stream.until(() => of(account.uuid).length === 4)
          yield* ask(200, "DELETE", `/teams/0/members/${account.uuid}`)
          yield* stream.until(() => of(account.uuid).length === 5)
          expect(of(account.uuid)).toEqual([
            "decisions false",
            "changes true",
            "changes false",
            "changes true",
            "changes false"
          ])
          yield* ask(200, "DELETE", `/applications/${application}`)
          // A change of access makes the stream notice the deletion immediately.
          yield* ask(201, "POST", "/roles", { name: "unused", capabilities: ["view"] })
          yield* stream.until(() => false)
          expect(stream.heard.at(-1)).toMatchObject({ event: "end", data: { reason: "the object was deleted" } })
        }).pipe(Effect.scoped)
    )

    it.effect("GET /access/subjects/stream reports disabled members, and ends when the caller loses access", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const { ask } = service
        const { account } = yield* makeMember(service, "dina", [{ role: "admin" }])
        const watcher = yield* makeMember(service, "wil", [])
        const body = { account_uuid: watcher.account.uuid, place_type: "team", place_uuid: null, role: "admin" }
        const grant = yield* ask(201, "POST", "/grants", body)
        const stream = yield* listen(service, "/access/subjects/stream?action=team.audit", { token: watcher.token })
        const ofDina = () =>
          stream.heard.flatMap(({ data, event }) =>
            ((data.subjects ?? []) as ReadonlyArray<Shown>)
              .filter(({ account_uuid }) => account_uuid === account.uuid)
              .map(({ allowed, because, status }) => (allowed ? [event, status] : [event, status, because]))
          )
        yield* stream.until(() => ofDina().length === 1)
        yield* ask(200, "PATCH", `/accounts/${account.uuid}`, { is_disabled: true })
        // A change of access makes the stream notice the disabled account immediately.
        yield* ask(201, "POST", "/roles", { name: "unnoticed", capabilities: ["view"] })
        yield* stream.until(() => ofDina().length === 2)
        expect(ofDina()).toEqual([
          ["decisions", 200],
          ["changes", 401, "the account is disabled"]
        ])
        yield* ask(200, "DELETE", `/grants/${grant.uuid}`)
        yield* stream.until(() => false)
        expect(stream.heard.at(-1)).toMatchObject({
          event: "end",
          data: { reason: "your token or session ended, or lost its access" }
        })
      }).pipe(Effect.scoped)
    )

    it.effect("GET /access/subjects/stream rejects a team with 1,000 members", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const { ask, within } = service
        const { id, token } = yield* makeTeam(service, "crowd")
        // The owner is a member as well.
        yield* within(
          Effect.gen(function* () {
            const accounts = yield* AccountStore
            const teams = yield* TeamStore
            const at = { createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" }
            for (let n = 0; n < 999; n++) {
              const uuid = AccountUuid.make(`crowd${String(n).padStart(19, "0")}`)
              const row = { uuid, name: uuid, email: null, isRoot: false, isDisabled: false, lastSignInAt: null, ...at }
              yield* Effect.orDie(accounts.insert(row))
              yield* teams.addMember({ teamId: TeamId.make(id), accountUuid: uuid, createdAt: at.createdAt })
            }
          })
        )
        const path = "/access/subjects/stream?action=team.update"
        expect((yield* ask(400, "GET", path, undefined, { token })).errors).toEqual({
          action: ["The team has 1,000 or more members: list them instead."]
        })
        yield* ask(200, "DELETE", `/teams/${id}/members/${AccountUuid.make("crowd0000000000000000000")}`)
        yield* listen(service, path, { token })
      }).pipe(Effect.scoped)
    )
  })
}
