import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { Api, withApi } from "../support/api.ts"
import { join, makeAccount, makeMember, makeTeam, tokenOf } from "../support/members.ts"

for (const store of ["memory", "embedded PostgreSQL"] as const) {
  withApi(store)(`groups of accounts: ${store}`, (it) => {
    it.effect("give their members the grants of the group, and take them back", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const { ask, project } = service
        const { account, token } = yield* makeMember(service, "ann", [])
        const as = { token }
        const group = yield* ask(201, "POST", "/teams/0/groups", { name: "Operations" })
        expect(group).toMatchObject({ team_id: 0, name: "Operations", members: [] })
        const path = `/teams/0/groups/${group.uuid}`
        const sent = { group_uuid: group.uuid, place_type: "project", place_uuid: project, role: "developer" }
        expect((yield* ask(200, "POST", "/access/preview", sent)).gains).toContain("project.update")
        const grant = yield* ask(201, "POST", "/grants", sent)
        expect(grant).toMatchObject({ account_uuid: null, group_uuid: group.uuid, role: "developer" })
        expect((yield* ask(201, "POST", "/grants", sent)).uuid).toBe(grant.uuid)
        expect((yield* ask(200, "POST", "/access/preview", { ...sent, role: "viewer" })).gains).toEqual([])
        yield* ask(403, "GET", `/projects/${project}`, undefined, as)
        const member = { account_uuid: account.uuid }
        expect((yield* ask(201, "POST", `${path}/members`, member)).members).toEqual([account.uuid])
        expect((yield* ask(201, "POST", `${path}/members`, member)).members).toEqual([account.uuid])
        yield* ask(201, "PATCH", `/projects/${project}`, { description: "by a group" }, as)
        const explained = `/access/explain?action=project.update&object=${project}`
        expect(yield* ask(200, "GET", explained, undefined, as)).toMatchObject({ allowed: true })
        expect(yield* ask(200, "GET", "/teams/0/groups", undefined, as)).toEqual([
          { ...group, members: [account.uuid] }
        ])
        yield* ask(200, "DELETE", `${path}/members/${account.uuid}`)
        yield* ask(404, "DELETE", `${path}/members/${account.uuid}`)
        yield* ask(403, "GET", `/projects/${project}`, undefined, as)
        yield* ask(201, "POST", `${path}/members`, member)
        yield* ask(200, "GET", `/projects/${project}`, undefined, as)
        expect((yield* ask(200, "PATCH", path, { name: "Ops" })).name).toBe("Ops")
        yield* ask(200, "DELETE", path)
        yield* ask(404, "DELETE", path)
        yield* ask(403, "GET", `/projects/${project}`, undefined, as)
        yield* ask(404, "GET", `/grants/${grant.uuid}`)
        const audited = (yield* ask(200, "GET", "/audit?outcome=done&limit=50")).map(
          (row: { action: string; detail: string }) => `${row.action}: ${row.detail}`
        )
        expect(audited.slice(0, 3)).toEqual([
          "team.group.delete: removed the group Ops with its grants",
          "team.group.update: renamed the group Operations to Ops",
          `team.group.member.add: added ${account.uuid} to the group Operations`
        ])
        expect(audited).toContain(`grant.create: granted developer on project ${project} to the group ${group.uuid}`)
      })
    )

    it.effect("reject wrong requests, and change nothing", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const { ask, project } = service
        const { account } = yield* makeMember(service, "bob", [])
        const outsider = yield* makeAccount(service, "outsider")
        const group = yield* ask(201, "POST", "/teams/0/groups", { name: "Support" })
        const other = yield* makeTeam(service, "elsewhere")
        const theirs = yield* ask(201, "POST", `/teams/${other.id}/groups`, { name: "support" }, { token: other.token })
        const before = [yield* ask(200, "GET", "/teams/0/groups"), yield* ask(200, "GET", "/grants")]
        yield* ask(409, "POST", "/teams/0/groups", { name: "SUPPORT" })
        yield* ask(400, "POST", "/teams/0/groups", { name: "" })
        const sent = { place_type: "project", place_uuid: project, role: "viewer" }
        const both = { ...sent, account_uuid: account.uuid, group_uuid: group.uuid }
        for (const [body, field] of [
          [sent, "account_uuid"],
          [both, "account_uuid"],
          [{ ...sent, group_uuid: theirs.uuid }, "group_uuid"],
          [{ ...sent, group_uuid: "nowhere" }, "group_uuid"]
        ] as const) {
          expect(Object.keys((yield* ask(400, "POST", "/grants", body)).errors)).toEqual([field])
          expect(Object.keys((yield* ask(400, "POST", "/access/preview", body)).errors)).toEqual([field])
        }
        const path = `/teams/0/groups/${group.uuid}`
        const refused = yield* ask(400, "POST", `${path}/members`, { account_uuid: outsider.uuid })
        expect(Object.keys(refused.errors)).toEqual(["account_uuid"])
        // A group of another team is missing, in its path and in that of another team.
        yield* ask(404, "PATCH", `/teams/0/groups/${theirs.uuid}`, { name: "x" })
        yield* ask(404, "DELETE", `/teams/0/groups/${theirs.uuid}`)
        yield* ask(404, "POST", `/teams/0/groups/${theirs.uuid}/members`, { account_uuid: account.uuid })
        yield* ask(404, "GET", "/teams/0/groups", undefined, { token: other.token })
        yield* ask(404, "DELETE", path, undefined, { token: other.token })
        expect([yield* ask(200, "GET", "/teams/0/groups"), yield* ask(200, "GET", "/grants")]).toEqual(before)
      })
    )

    it.effect("give no administrator more than its own capabilities", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const { ask } = service
        const admin = yield* makeMember(service, "admin", [{ role: "admin" }])
        const viewer = yield* makeMember(service, "viewer", [{ role: "viewer" }])
        const as = { token: admin.token }
        const group = yield* ask(201, "POST", "/teams/0/groups", { name: "Owners" }, as)
        const path = `/teams/0/groups/${group.uuid}`
        const owning = { group_uuid: group.uuid, place_type: "team", role: "owner" }
        yield* ask(403, "POST", "/grants", owning, as)
        yield* ask(201, "POST", "/grants", { ...owning, role: "admin" }, as)
        yield* ask(201, "POST", `${path}/members`, { account_uuid: viewer.account.uuid }, as)
        yield* ask(200, "DELETE", `${path}/members/${viewer.account.uuid}`, undefined, as)
        yield* ask(201, "POST", "/grants", owning)
        for (const [method, end, body] of [
          ["POST", "/members", { account_uuid: admin.account.uuid }],
          ["DELETE", `/members/${viewer.account.uuid}`, undefined],
          ["DELETE", "", undefined]
        ] as const) {
          expect((yield* ask(403, method, `${path}${end}`, body, as)).message).toContain("`ownership`")
        }
        yield* ask(403, "POST", "/teams/0/groups", { name: "mine" }, { token: viewer.token })
        expect(yield* ask(200, "GET", "/teams/0/groups", undefined, { token: viewer.token })).not.toEqual([])
      })
    )

    it.effect("count no owner, and lose members that leave the team", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const { ask } = service
        const { id, owner, token } = yield* makeTeam(service, "grouped")
        const as = { token }
        const second = yield* makeAccount(service, "second")
        yield* join(service, second.uuid, id)
        const group = yield* ask(201, "POST", `/teams/${id}/groups`, { name: "owners" }, as)
        const path = `/teams/${id}/groups/${group.uuid}`
        yield* ask(201, "POST", "/grants", { group_uuid: group.uuid, place_type: "team", role: "owner" }, as)
        yield* ask(201, "POST", `${path}/members`, { account_uuid: second.uuid }, as)
        // The group may lose its members, so that the owner stays.
        yield* ask(409, "DELETE", `/teams/${id}/members/${owner.uuid}`, undefined, as)
        const other = { token: yield* tokenOf(service, second.uuid, { team: id }) }
        yield* ask(200, "PATCH", `/teams/${id}`, { description: "by the group" }, other)
        yield* ask(200, "DELETE", `/teams/${id}/members/${second.uuid}`, undefined, as)
        yield* join(service, second.uuid, id)
        const again = { token: yield* tokenOf(service, second.uuid, { team: id }) }
        yield* ask(403, "PATCH", `/teams/${id}`, { description: "" }, again)
        expect((yield* ask(200, "GET", `/teams/${id}/groups`, undefined, as))[0].members).toEqual([])
      })
    )
  })
}
