import { describe, expect } from "@effect/vitest"
import { AccountStore } from "@slipway/domain/deploy/identity"
import { Effect } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"
import { join, makeAccount, makeMember, makeTeam, sessionOf, tokenOf } from "../support/members.ts"

const uuid = expect.stringMatching(/^[a-z0-9]{24}$/)

for (const store of storeNames) {
  describe(`over ${store}`, () => {
    withApi(store)("teams", (it) => {
      it.effect("an instance has one root team with the number 0, and its owners create others", () =>
        Effect.gen(function* () {
          const { service } = yield* Api
          const { ask } = service
          const root = yield* ask(200, "GET", "/team")
          expect(root).toMatchObject({ id: 0, name: "Slipway", personal_team: false, members: [], token_days: null })
          expect(yield* ask(200, "GET", "/teams/0")).toEqual(root)
          expect(yield* ask(200, "GET", "/teams/current")).toEqual(root)
          const other = yield* ask(201, "POST", "/teams", { name: "Acme", token_days: 30 })
          expect(other).toMatchObject({ name: "Acme", description: "", token_days: 30 })
          expect(other.id).toBeGreaterThan(0)
          expect((yield* ask(200, "GET", "/teams")).map(({ id }: { id: number }) => id)).toEqual([0, other.id])
          expect(yield* ask(200, "PATCH", `/teams/${other.id}`, { name: "Ltd", token_days: null })).toMatchObject({
            name: "Ltd",
            token_days: null
          })
          yield* ask(400, "POST", "/teams", { name: "", token_days: 0 })
          yield* ask(200, "DELETE", `/teams/${other.id}`)
          yield* ask(404, "GET", `/teams/${other.id}`)
          yield* ask(409, "DELETE", "/teams/0")
        })
      )

      it.effect("a team has its own resources and names, and requests from other teams for these get 404", () =>
        Effect.gen(function* () {
          const { service, world } = yield* Api
          const { ask, project, server } = service
          const { id, token } = yield* makeTeam(service, "separate")
          const as = { token }
          expect(yield* ask(200, "GET", "/team", undefined, as)).toMatchObject({ id, name: "separate" })
          for (const path of [
            "/projects",
            "/servers",
            "/security/keys",
            "/forge-apps",
            "/resources",
            "/applications"
          ]) {
            expect(yield* ask(200, "GET", path, undefined, as), path).toEqual([])
          }
          const mine = (yield* ask(201, "POST", "/projects", { name: "default" }, as)).uuid
          yield* ask(409, "POST", "/projects", { name: "DEFAULT" }, as)
          const own = (yield* ask(201, "POST", "/servers", { name: "s", ip: "10.0.0.9" }, as)).uuid
          const listed = yield* service.send("GET", "/api/v1/projects?page=1&per_page=5", { token })
          expect([listed.json.length, listed.headers.get("x-total-count")]).toEqual([1, "1"])
          for (const [method, path] of [
            ["GET", `/projects/${project}`],
            ["DELETE", `/projects/${project}`],
            ["GET", `/servers/${server}`],
            ["GET", `/servers/${server}/domains`],
            ["GET", `/security/keys/${world.key}`],
            ["PATCH", `/teams/0`]
          ] as const) {
            const hidden = yield* service.send(method, `/api/v1${path}`, { token })
            const missing = yield* service.send(
              method,
              `/api/v1${path.replace(/[^/]+$/, (last) => (last === "domains" ? last : "nowhere"))}`,
              { token }
            )
            expect(hidden.status, path).toBe(404)
            if (!path.endsWith("/domains")) expect([hidden.status, hidden.text]).toEqual([missing.status, missing.text])
          }
          yield* ask(404, "GET", `/projects/${mine}`)
          yield* ask(404, "GET", `/servers/${own}`)
          const everything = (yield* ask(200, "GET", "/projects")).map((each: { uuid: string }) => each.uuid)
          expect(everything).not.toContain(mine)
          expect((yield* ask(409, "DELETE", `/teams/${id}`)).message).toContain("project")
          // A placement in both teams is reported like missing resources.
          const body = { docker_registry_image_name: "registry.example/team/app", environment_name: "production" }
          const sent = { ...body, project_uuid: mine, server_uuid: server }
          expect(yield* ask(400, "POST", "/applications/dockerimage", sent, as)).toMatchObject({
            errors: { server_uuid: ["There is no such server."] }
          })
          expect(
            yield* ask(
              400,
              "POST",
              "/applications/dockerimage",
              { ...sent, project_uuid: project, server_uuid: own },
              as
            )
          ).toMatchObject({
            errors: { project_uuid: ["There is no such project."] }
          })
          expect(
            yield* ask(400, "POST", "/servers", { name: "t", ip: "10.0.0.8", private_key_uuid: world.key }, as)
          ).toMatchObject({
            errors: { private_key_uuid: ["There is no such private key."] }
          })
          const made = yield* ask(
            201,
            "POST",
            "/applications/dockerimage",
            { ...sent, server_uuid: own, tags: ["x"] },
            as
          )
          expect(yield* ask(200, "GET", "/applications?tag=x", undefined, as)).toMatchObject([{ uuid: made.uuid }])
          expect(yield* ask(200, "GET", "/applications?tag=x")).toEqual([])
          expect(yield* ask(200, "GET", "/tags")).toEqual([])
          // Deploying by tag reaches only the team of the caller.
          yield* ask(400, "POST", "/deploy", { tag: "x" })
          yield* ask(404, "POST", "/deploy", { uuid: made.uuid })
        })
      )

      it.effect(
        "cross-team domains: a domain of another team is refused without its name, and cannot be overridden",
        () =>
          Effect.gen(function* () {
            const { service, world } = yield* Api
            const { ask } = service
            const { token } = yield* makeTeam(service, "domains")
            const as = { token }
            const taken = yield* world.create("dockerimage", { domains: "https://taken.example" })
            const project = (yield* ask(201, "POST", "/projects", { name: "p" }, as)).uuid
            const server = (yield* ask(201, "POST", "/servers", { name: "s", ip: "10.0.0.9" }, as)).uuid
            const body = {
              project_uuid: project,
              server_uuid: server,
              environment_name: "production",
              docker_registry_image_name: "registry.example/team/app",
              domains: "https://taken.example"
            }
            for (const force_domain_override of [false, true]) {
              const refused = yield* ask(
                409,
                "POST",
                "/applications/dockerimage",
                { ...body, force_domain_override },
                as
              )
              expect(refused.conflicts).toMatchObject([
                { domain: "https://taken.example", resource_name: "(another team)", resource_uuid: null }
              ])
              expect(JSON.stringify(refused)).not.toContain(taken)
            }
            const own = { ...world.minimal.dockerimage, domains: "https://taken.example" }
            yield* ask(409, "POST", "/applications/dockerimage", own)
            yield* ask(201, "POST", "/applications/dockerimage", { ...own, force_domain_override: true })
          })
      )
    })

    withApi(store)("members, roles and grants", (it) => {
      it.effect("a grant gives a member a role, is idempotent, and is revoked immediately (I7)", () =>
        Effect.gen(function* () {
          const { service, world } = yield* Api
          const { ask, project } = service
          const application = yield* world.create("dockerimage")
          const { account, token } = yield* makeMember(service, "ann", [])
          const as = { token }
          expect(yield* ask(403, "GET", `/projects/${project}`, undefined, as)).toEqual({
            message:
              "This token may not do this (project.read): the role `viewer` on the resource or above it is missing (capability `view`)."
          })
          expect(yield* ask(200, "GET", "/projects", undefined, as)).toEqual([])
          const sent = { account_uuid: account.uuid, place_type: "project", place_uuid: project, role: "viewer" }
          const { gains } = yield* ask(200, "POST", "/access/preview", sent)
          expect(gains).toContain("project.read")
          expect(gains).not.toContain("project.update")
          const grant = yield* ask(201, "POST", "/grants", sent)
          expect(grant).toMatchObject({
            uuid,
            team_id: 0,
            account_uuid: account.uuid,
            place_type: "project",
            place_uuid: project,
            role: "viewer"
          })
          expect((yield* ask(201, "POST", "/grants", sent)).uuid).toBe(grant.uuid)
          expect(yield* ask(200, "GET", `/grants/${grant.uuid}`)).toEqual(grant)
          expect(yield* ask(200, "GET", `/applications/${application}`, undefined, as)).toMatchObject({
            uuid: application
          })
          expect(
            (yield* ask(200, "GET", "/projects", undefined, as)).map((each: { uuid: string }) => each.uuid)
          ).toEqual([project])
          expect((yield* ask(200, "GET", "/team/members")).map((each: { name: string }) => each.name)).toEqual([
            account.name
          ])
          yield* ask(403, "POST", `/applications/${application}/start`, undefined, as)
          yield* ask(200, "DELETE", `/grants/${grant.uuid}`)
          yield* ask(403, "GET", `/projects/${project}`, undefined, as)
          yield* ask(404, "DELETE", `/grants/${grant.uuid}`)
          yield* ask(200, "DELETE", `/teams/0/members/${account.uuid}`)
          yield* ask(401, "GET", "/projects", undefined, as)
          yield* ask(404, "DELETE", `/teams/0/members/${account.uuid}`)
        })
      )

      it.effect("I25: wrong grants name the field and change nothing", () =>
        Effect.gen(function* () {
          const { service } = yield* Api
          const { ask, project } = service
          const { account } = yield* makeMember(service, "bob", [])
          const stranger = yield* makeAccount(service, "stranger")
          const { id, token } = yield* makeTeam(service, "elsewhere")
          const theirs = (yield* ask(201, "POST", "/projects", { name: "theirs" }, { token })).uuid
          const before = yield* ask(200, "GET", "/grants")
          const good = { account_uuid: account.uuid, place_type: "project", place_uuid: project, role: "viewer" }
          for (const [change, field] of [
            [{ role: "boss" }, "role"],
            [{ account_uuid: stranger.uuid }, "account_uuid"],
            [{ account_uuid: "unknown" }, "account_uuid"],
            [{ place_uuid: theirs }, "place_uuid"],
            [{ place_uuid: "nowhere" }, "place_uuid"],
            [{ place_uuid: null }, "place_uuid"],
            [{ place_type: "environment" }, "place_uuid"],
            [{ place_type: "team" }, "place_uuid"],
            [{ place_type: "server" }, "place_type"]
          ] as const) {
            const answer = yield* ask(400, "POST", "/grants", { ...good, ...change })
            expect(Object.keys(answer.errors), JSON.stringify(change)).toEqual([field])
          }
          expect(yield* ask(200, "GET", "/grants")).toEqual(before)
          expect(id).toBeGreaterThan(0)
        })
      )

      it.effect("no caller grants, revokes or defines more than its own role", () =>
        Effect.gen(function* () {
          const { service } = yield* Api
          const { ask } = service
          const admin = yield* makeMember(service, "admin", [{ role: "admin" }])
          const owner = yield* makeMember(service, "owner", [{ role: "owner" }])
          const as = { token: admin.token }
          const toSelf = { account_uuid: admin.account.uuid, place_type: "team", role: "owner" }
          expect((yield* ask(403, "POST", "/grants", toSelf, as)).message).toContain("`ownership`")
          const { account } = yield* makeMember(service, "carl", [])
          yield* ask(201, "POST", "/grants", { ...toSelf, account_uuid: account.uuid, role: "admin" }, as)
          const [owning] = (yield* ask(200, "GET", "/grants")).filter(
            (each: { account_uuid: string }) => each.account_uuid === owner.account.uuid
          )
          yield* ask(403, "DELETE", `/grants/${owning.uuid}`, undefined, as)
          yield* ask(403, "POST", "/roles", { name: "boss", capabilities: ["ownership"] }, as)
          yield* ask(403, "POST", "/teams/0/invitations", toSelf, as)
          const role = yield* ask(201, "POST", "/roles", { name: "boss", capabilities: ["view", "ownership"] })
          yield* ask(403, "PATCH", `/roles/${role.uuid}`, { capabilities: ["view"] }, as)
          yield* ask(403, "DELETE", `/roles/${role.uuid}`, undefined, as)
        })
      )

      it.effect("a custom role has its capabilities, and its changes apply to everyone who has it", () =>
        Effect.gen(function* () {
          const { service, world } = yield* Api
          const { ask, project } = service
          const application = yield* world.create("dockerimage")
          const { uuid: role } = yield* ask(201, "POST", "/roles", {
            name: "restarter",
            capabilities: ["view", "operate"]
          })
          yield* ask(409, "POST", "/roles", { name: "Restarter", capabilities: [] })
          yield* ask(409, "POST", "/roles", { name: "Viewer", capabilities: [] })
          yield* ask(400, "POST", "/roles", { name: "x", capabilities: ["everything"] })
          const { token } = yield* makeMember(service, "dora", [{ role: "restarter", type: "project", uuid: project }])
          const as = { token }
          yield* ask(200, "POST", `/applications/${application}/restart`, undefined, as)
          yield* ask(403, "PATCH", `/applications/${application}`, { description: "x" }, as)
          expect(yield* ask(200, "PATCH", `/roles/${role}`, { capabilities: ["view", "edit"] })).toEqual({
            uuid: role,
            name: "restarter",
            capabilities: ["view", "edit"]
          })
          yield* ask(403, "POST", `/applications/${application}/restart`, undefined, as)
          yield* ask(200, "PATCH", `/applications/${application}`, { description: "x" }, as)
          expect((yield* ask(200, "GET", "/roles")).map((each: { name: string }) => each.name)).toEqual([
            "viewer",
            "deployer",
            "developer",
            "admin",
            "owner",
            "boss",
            "restarter"
          ])
          yield* ask(200, "DELETE", `/roles/${role}`)
          yield* ask(403, "GET", `/applications/${application}`, undefined, as)
        })
      )

      it.effect("a token has its abilities within the grants of its account, and ends with the account", () =>
        Effect.gen(function* () {
          const { service } = yield* Api
          const { ask, project, within } = service
          const { account, token } = yield* makeMember(
            service,
            "eve",
            [{ role: "developer", type: "project", uuid: project }],
            ["read"]
          )
          const as = { token }
          expect(yield* ask(200, "GET", "/token", undefined, as)).toMatchObject({
            account_uuid: account.uuid,
            team_id: 0,
            abilities: ["read"]
          })
          yield* ask(200, "GET", `/projects/${project}`, undefined, as)
          yield* ask(403, "PATCH", `/projects/${project}`, { description: "x" }, as)
          yield* within(Effect.flatMap(AccountStore, (store) => store.replace({ ...account, isDisabled: true })))
          yield* ask(401, "GET", `/projects/${project}`, undefined, as)
        })
      )

      it.effect("a token limited to projects reaches nothing else", () =>
        Effect.gen(function* () {
          const { service } = yield* Api
          const { ask, project, server } = service
          const { uuid: other } = yield* ask(201, "POST", "/projects", { name: "other" })
          const sent = { name: "ci", abilities: ["root"], projects: [project] }
          const { token } = yield* ask(201, "POST", "/tokens", sent)
          const as = { token }
          yield* ask(200, "GET", `/projects/${project}`, undefined, as)
          yield* ask(403, "GET", `/projects/${other}`, undefined, as)
          yield* ask(403, "GET", `/servers/${server}`, undefined, as)
          yield* ask(403, "POST", "/tokens", { name: "all", abilities: ["root"] }, as)
          yield* ask(403, "POST", "/projects", { name: "third" }, as)
          expect(
            (yield* ask(200, "GET", "/projects", undefined, as)).map((each: { uuid: string }) => each.uuid)
          ).toEqual([project])
          expect(yield* ask(400, "POST", "/tokens", { ...sent, projects: [server] })).toMatchObject({
            errors: { projects: ["There is no such project in the team."] }
          })
        })
      )

      it.effect("the team limits the lifetime of tokens of its members", () =>
        Effect.gen(function* () {
          const { service } = yield* Api
          const { ask } = service
          const { account, token: own } = yield* makeMember(service, "fay", [{ role: "owner" }])
          const token = yield* sessionOf(service, account)
          yield* ask(200, "PATCH", "/teams/0", { token_days: 1 })
          const wanted = { name: "t", abilities: ["read"] }
          const later = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
          for (const expires_at of [null, later(25)]) {
            expect(yield* ask(400, "POST", "/tokens", { ...wanted, expires_at }, { token })).toMatchObject({
              errors: { expires_at: ["Must be at most 1 days from now: the team limits the lifetime of tokens."] }
            })
          }
          const made = yield* ask(201, "POST", "/tokens", { ...wanted, expires_at: later(23) }, { token })
          // A token must not extend itself.
          yield* ask(403, "POST", "/tokens", { ...wanted, expires_at: later(23) }, { token: own })
          expect(yield* ask(200, "GET", "/token", undefined, { token: made.token })).toMatchObject({
            account_uuid: expect.any(String)
          })
          yield* ask(200, "PATCH", "/teams/0", { token_days: null })
        })
      )

      it.effect("a protected environment is deployed by a role on it, or by administrators", () =>
        Effect.gen(function* () {
          const { service, world } = yield* Api
          const { ask, environment, project } = service
          const application = yield* world.create("dockerimage")
          const path = `/projects/${project}/environments/${environment}`
          expect(yield* ask(200, "PATCH", path, { is_protected: true })).toMatchObject({ is_protected: true })
          const developer = yield* makeMember(service, "gil", [{ role: "developer", type: "project", uuid: project }])
          const deployer = yield* makeMember(service, "hal", [
            { role: "deployer", type: "environment", uuid: environment }
          ])
          const as = { token: developer.token }
          yield* ask(200, "PATCH", `/applications/${application}`, { description: "x" }, as)
          const refused = yield* ask(403, "POST", `/applications/${application}/stop`, undefined, as)
          expect(refused.message).toContain("a protected environment needs it on the environment itself")
          const requested = yield* ask(200, "POST", `/applications/${application}/start`, undefined, as)
          expect(requested.message).toBe("The deployment waits for an approval.")
          yield* ask(403, "PATCH", path, { is_protected: false }, as)
          yield* ask(403, "POST", `/projects/${project}/environments`, { name: "own", is_protected: true }, as)
          const { uuid: staging } = yield* ask(
            201,
            "POST",
            `/projects/${project}/environments`,
            { name: "staging" },
            as
          )
          yield* ask(403, "POST", `/applications/${application}/move`, { environment_uuid: staging }, as)
          yield* ask(403, "PATCH", `/applications/${application}`, { environment_uuid: staging }, as)
          yield* ask(
            403,
            "POST",
            `/applications/${application}/scheduled-tasks`,
            { name: "t", command: "env", frequency: "daily" },
            as
          )
          yield* ask(200, "POST", `/applications/${application}/start`, undefined, { token: deployer.token })
          expect(yield* ask(200, "GET", `/projects/${project}/production`)).toMatchObject({ is_protected: true })
        })
      )
    })

    withApi(store)("invitations", (it) => {
      it.effect("I24, CVE-2025-64423: only the invited account accepts an invitation, once", () =>
        Effect.gen(function* () {
          const { service } = yield* Api
          const { ask, project } = service
          const invited = yield* makeAccount(service, "ivy")
          const member = yield* makeMember(service, "jim", [{ role: "viewer" }])
          const sent = { account_uuid: invited.uuid, place_type: "team", role: "admin" }
          const { id, token: owning } = yield* makeTeam(service, "inviting")
          const invitation = yield* ask(201, "POST", `/teams/${id}/invitations`, sent, { token: owning })
          expect(invitation).toMatchObject({ uuid, team_id: id, account_uuid: invited.uuid, role: "admin" })
          const days = (Date.parse(invitation.expires_at) - Date.parse(invitation.created_at)) / 86_400_000
          expect(days).toBe(7)
          const accept = (token?: string) =>
            service.send("POST", `/api/v1/invitations/${invitation.uuid}/accept`, token === undefined ? {} : { token })
          for (const token of [undefined, member.token, owning]) expect((yield* accept(token)).status).toBe(404)
          const token = yield* tokenOf(service, invited.uuid, { team: id })
          yield* ask(404, "GET", "/team", undefined, { token })
          expect(yield* ask(200, "GET", "/invitations", undefined, { token })).toEqual([invitation])
          expect(yield* ask(200, "GET", "/invitations", undefined, { token: member.token })).toEqual([])
          expect((yield* accept(token)).status).toBe(200)
          expect((yield* accept(token)).status).toBe(404)
          expect(yield* ask(200, "GET", "/team", undefined, { token })).toMatchObject({ id })
          expect(yield* ask(200, "GET", `/teams/${id}/invitations`, undefined, { token })).toEqual([])
          yield* ask(404, "GET", `/projects/${project}`, undefined, { token })
        })
      )

      it.effect("an invitation is withdrawn by an administrator of the team only", () =>
        Effect.gen(function* () {
          const { service } = yield* Api
          const { ask } = service
          const invited = yield* makeAccount(service, "kim")
          const member = yield* makeMember(service, "leo", [{ role: "developer" }])
          const sent = { account_uuid: invited.uuid, place_type: "team", role: "viewer" }
          const invitation = yield* ask(201, "POST", "/teams/0/invitations", sent)
          yield* ask(403, "DELETE", `/invitations/${invitation.uuid}`, undefined, { token: member.token })
          yield* ask(200, "DELETE", `/invitations/${invitation.uuid}`)
          const token = yield* tokenOf(service, invited.uuid)
          yield* ask(404, "POST", `/invitations/${invitation.uuid}/accept`, undefined, { token })
          yield* ask(400, "POST", "/teams/0/invitations", { ...sent, account_uuid: "unknown" })
        })
      )

      it.effect("a team keeps an owner", () =>
        Effect.gen(function* () {
          const { service } = yield* Api
          const { ask } = service
          const { id, owner, token } = yield* makeTeam(service, "owned")
          const [grant] = yield* ask(200, "GET", "/grants", undefined, { token })
          yield* ask(409, "DELETE", `/grants/${grant.uuid}`, undefined, { token })
          yield* ask(409, "DELETE", `/teams/${id}/members/${owner.uuid}`, undefined, { token })
          const second = yield* makeAccount(service, "second")
          yield* join(service, second.uuid, id)
          yield* ask(
            201,
            "POST",
            "/grants",
            { account_uuid: second.uuid, place_type: "team", role: "owner" },
            { token }
          )
          yield* ask(200, "DELETE", `/teams/${id}/members/${owner.uuid}`, undefined, { token })
        })
      )
    })

    withApi(store)("explanations and the audit log", (it) => {
      it.effect("POST /access/check answers like the requests, and hides the same resources", () =>
        Effect.gen(function* () {
          const { service, world } = yield* Api
          const { ask, project, server } = service
          const application = yield* world.create("dockerimage")
          const { token } = yield* makeMember(service, "mia", [{ role: "viewer", type: "project", uuid: project }])
          const other = yield* makeTeam(service, "checking")
          const checks = [
            { action: "application.read", object: application },
            { action: "application.deploy", object: application },
            { action: "project.delete", object: project },
            { action: "server.read", object: server },
            { action: "project.read", object: "nowhere" },
            { action: "application.read", object: project },
            { action: "project.create" },
            { action: "application.logs", object: application },
            { action: "sharedVariable.list" },
            { action: "sharedVariable.list", object: project },
            { action: "account.update" }
          ]
          const statuses = (rows: ReadonlyArray<{ status: number; allowed: boolean }>) =>
            rows.map(({ allowed, status }) => (allowed ? 200 : status))
          const mine = yield* ask(200, "POST", "/access/check", { checks }, { token })
          expect(statuses(mine)).toEqual([200, 403, 403, 403, 404, 404, 403, 200, 403, 200, 403])
          expect(mine[1].because).toContain("`deployer`")
          const theirs = yield* ask(200, "POST", "/access/check", { checks }, { token: other.token })
          expect(statuses(theirs)).toEqual([404, 404, 404, 404, 404, 404, 200, 404, 200, 404, 403])
          expect(new Set([theirs[2].because, theirs[4].because])).toEqual(new Set(["Not found."]))
          expect(yield* ask(400, "POST", "/access/check", { checks: [{ action: "project.destroy" }] })).toMatchObject({
            errors: { "checks.0.action": ["There is no such action."] }
          })
          const many = Array.from({ length: 201 }, () => ({ action: "project.create" }))
          yield* ask(400, "POST", "/access/check", { checks: many })
          yield* ask(200, "POST", "/access/check", { checks: many.slice(1) })
        })
      )

      it.effect("GET /access/explain names the facts that decided, and none of a hidden object", () =>
        Effect.gen(function* () {
          const { service, world } = yield* Api
          const { ask, project } = service
          const application = yield* world.create("dockerimage")
          const { token } = yield* makeMember(service, "ned", [{ role: "viewer", type: "project", uuid: project }])
          const path = `/access/explain?action=application.deploy&object=${application}`
          const explained = yield* ask(200, "GET", path, undefined, { token })
          expect(explained).toMatchObject({
            action: "application.deploy",
            object: application,
            allowed: false,
            status: 403
          })
          expect(explained.steps.map((step: { check: string; passed: boolean }) => [step.check, step.passed])).toEqual([
            ["deploy", true],
            ["there", true],
            ["token", true],
            ["role-operate", false]
          ])
          expect(explained.steps[3].facts).toEqual([
            "no role of the caller may deploy, restart, stop, cancel, roll back and run tasks"
          ])
          const other = yield* makeTeam(service, "explaining")
          const hidden = yield* ask(200, "GET", path, undefined, { token: other.token })
          const missing = yield* ask(200, "GET", path.replace(application, "nowhere"), undefined, {
            token: other.token
          })
          expect(hidden).toEqual({ ...missing, object: application })
          expect(hidden.steps).toEqual([])
        })
      )

      it.effect("GET /audit lists changes of access and denials of the team, also as JSON Lines", () =>
        Effect.gen(function* () {
          const { service, world } = yield* Api
          const { ask, project } = service
          const application = yield* world.create("dockerimage")
          const { account, token } = yield* makeMember(service, "oda", [
            { role: "viewer", type: "project", uuid: project }
          ])
          yield* ask(403, "POST", `/applications/${application}/start`, undefined, { token })
          yield* ask(404, "GET", "/applications/nowhere", undefined, { token })
          const [denied, granted] = yield* ask(200, "GET", "/audit?limit=2")
          expect(denied).toMatchObject({
            outcome: "denied",
            action: "application.deploy.request",
            account_uuid: account.uuid,
            object: application,
            detail: expect.stringContaining("`deployer`")
          })
          expect(granted).toMatchObject({
            outcome: "done",
            action: "grant.create",
            account_uuid: null,
            detail: `granted viewer on project ${project} to ${account.uuid}`
          })
          const denials = yield* ask(200, "GET", "/audit?outcome=denied")
          expect(denials.every((each: { outcome: string }) => each.outcome === "denied")).toBe(true)
          expect(yield* ask(200, "GET", `/audit?limit=1&before=${denied.id}`)).toEqual([granted])
          const lines = yield* service.send("GET", "/api/v1/audit?format=jsonl")
          expect(lines.headers.get("content-type")).toBe("application/jsonl")
          const rows = lines.text
            .trimEnd()
            .split("\n")
            .map((line) => JSON.parse(line) as { id: number })
          expect(rows.slice(0, 2)).toEqual([denied, granted])
          expect(rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toSorted((one, two) => two - one))
          yield* ask(403, "GET", "/audit", undefined, { token })
          const other = yield* makeTeam(service, "audited")
          yield* ask(404, "GET", `/applications/${application}`, undefined, { token: other.token })
          const [attempt] = yield* ask(200, "GET", "/audit", undefined, { token: other.token })
          expect(attempt).toMatchObject({
            outcome: "denied",
            action: "application.read",
            object: application,
            detail: "hidden"
          })
        })
      )
    })
  })
}
