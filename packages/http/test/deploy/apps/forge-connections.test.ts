import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { outsideService } from "../../support/outsideService.ts"
import { start, stores } from "../support/harness.ts"
import { startForge } from "../support/world.ts"

const url = "http://127.0.0.1:3000"
const platform = "http://127.0.0.1:8000"
const dockerfile = "FROM nginx\nEXPOSE 8080\n"

/** Starts the service with a connected forge that has the repository `acme/site` with some files. */
const connected = Effect.fnUntraced(function* (
  store: (typeof stores)[keyof typeof stores] = stores.memory,
  files: Readonly<Record<string, string>> = { Dockerfile: dockerfile },
  outside: Layer.Layer<never> = Layer.empty
) {
  const service = yield* start(store, Layer.empty, { outside })
  const { body, forge, simulation } = yield* startForge(service)
  forge.repositories.set("acme/site", { defaultBranch: "main", isAdministered: true, files })
  const { uuid } = yield* service.ask(201, "POST", "/forge-connections", body)
  return { ...service, forge, simulation, connection: uuid as string }
})

const create = "/applications/private-forge-app"

for (const [name, store] of Object.entries(stores)) {
  describe(`forge connections over ${name}`, () => {
    it.live("are created, listed, changed and deleted without showing the token", () =>
      Effect.gen(function* () {
        const { ask, connection, forge, logged } = yield* connected(store)
        const shown = {
          id: 1,
          uuid: connection,
          created_at: expect.any(String),
          updated_at: expect.any(String),
          name: "127.0.0.1:3000",
          url,
          platform_url: platform,
          ssh_port: null,
          account: "robot",
          client_id: null,
          client_since: null,
          status: "connected",
          reason: null,
          token_since: expect.stringMatching(/^\d{4}-/),
          is_rotating: false
        }
        expect(yield* ask(200, "GET", "/forge-connections")).toEqual([shown])
        expect(yield* ask(200, "GET", `/forge-connections/${connection}`)).toEqual(shown)
        forge.tokens.set("t1", "deployer")
        const change = { name: "own", token: "t1", platform_url: "https://deploy.example" }
        expect(yield* ask(200, "PATCH", `/forge-connections/${connection}`, change)).toEqual({
          ...shown,
          name: "own",
          account: "deployer",
          platform_url: "https://deploy.example"
        })
        expect(yield* ask(200, "GET", "/github-apps")).toMatchObject([
          { uuid: connection, name: "own", html_url: url, private_key_uuid: null }
        ])
        expect(
          yield* ask(400, "PATCH", `/forge-apps/${connection}`, { api_url: "https://evil.example" })
        ).toMatchObject({
          errors: { body: ["This is a forge connection: change it at /forge-connections/{uuid}."] }
        })
        const client = { client_id: "platform", client_secret: "s3cret" }
        expect((yield* ask(200, "PATCH", `/forge-connections/${connection}`, client)).client_id).toBe("platform")
        expect(yield* ask(400, "PATCH", `/forge-connections/${connection}`, { client_id: "other" })).toMatchObject({
          errors: { client_secret: ["Must be sent together with the other one."] }
        })
        expect((yield* ask(200, "PATCH", `/forge-connections/${connection}`, { name: "own" })).client_id).toBe(
          "platform"
        )
        const none = { client_id: null, client_secret: null }
        expect((yield* ask(200, "PATCH", `/forge-connections/${connection}`, none)).client_id).toBe(null)
        expect(JSON.stringify(logged)).not.toMatch(/t0ken|t1"|s3cret/)
        expect(yield* ask(200, "DELETE", `/forge-connections/${connection}`)).toEqual({
          message: "Forge connection deleted."
        })
        expect(yield* ask(404, "GET", `/forge-connections/${connection}`)).toEqual({
          message: "Forge connection not found."
        })
      }).pipe(Effect.scoped)
    )

    it.live("make the user of the token an owner of the root team once, if the request asks for it", () =>
      Effect.gen(function* () {
        const { connector } = outsideService({ issuer: url })
        const { ask, connection, forge } = yield* connected(store, undefined, connector)
        yield* ask(200, "DELETE", `/forge-connections/${connection}`)
        forge.tokens.set("t1", "ann")
        const body = { url, token: "t1", platform_url: platform, grant_owner: true }
        expect(yield* ask(400, "POST", "/forge-connections", body)).toMatchObject({
          errors: { grant_owner: ["Needs client_id and client_secret: the owner signs in through this forge."] }
        })
        // An account with the same name is another person.
        const { uuid: namesake } = yield* ask(201, "POST", "/accounts", { name: "ann" })
        const client = { client_id: "platform", client_secret: "s3cret" }
        const create = (more: object = {}) => ask(201, "POST", "/forge-connections", { ...body, ...client, ...more })
        yield* create({ grant_owner: false })
        expect(yield* ask(200, "GET", "/grants")).toEqual([])
        yield* create()
        const [grant, ...others] = yield* ask(200, "GET", "/grants")
        expect([grant.place_type, grant.role, others]).toEqual(["team", "owner", []])
        expect(grant.account_uuid).not.toBe(namesake)
        const members = yield* ask(200, "GET", "/teams/0/members")
        expect(members.map((each: { name: string; account_uuid: string }) => [each.name, each.account_uuid])).toEqual([
          ["ann-2", grant.account_uuid]
        ])
        expect(JSON.stringify(yield* ask(200, "GET", "/audit"))).toContain(
          `granted owner on team 0 to ann-2, the user 2 of ${url}`
        )
        // A revoked grant stays revoked: the person has an account.
        yield* ask(200, "DELETE", `/grants/${grant.uuid}`)
        yield* create()
        expect(yield* ask(200, "GET", "/grants")).toEqual([])
        expect((yield* ask(200, "GET", "/accounts")).filter(({ name }: { name: string }) => name === "ann-3")).toEqual(
          []
        )
      }).pipe(Effect.scoped)
    )

    it.live(
      "store nothing if a request grants the role owner, and people sign in through another provider or forge",
      () =>
        Effect.gen(function* () {
          const { connector, layer } = outsideService()
          const sentence =
            "People sign in to this platform through another provider or another forge: connect without `grant_owner`."
          const client = { client_id: "platform", client_secret: "s3cret" }
          for (const outside of [layer, connector]) {
            const { ask, connection, simulation } = yield* connected(store, undefined, outside)
            yield* ask(200, "PATCH", `/forge-connections/${connection}`, client)
            const other = "http://127.0.0.1:3001"
            const forge = yield* simulation.start(other)
            forge.tokens.set("t1", "ann")
            const body = { url: other, token: "t1", platform_url: platform, grant_owner: true, ...client }
            expect(yield* ask(400, "POST", "/forge-connections", body)).toMatchObject({
              errors: { grant_owner: [sentence] }
            })
            const rows = yield* ask(200, "GET", "/forge-connections")
            expect(rows.map((row: { url: string }) => row.url)).toEqual([url])
            expect(yield* ask(200, "GET", "/grants")).toEqual([])
            const names = (yield* ask(200, "GET", "/accounts")).map((row: { name: string }) => row.name)
            expect(names).not.toContain("ann")
          }
        }).pipe(Effect.scoped)
    )

    it.live("are listed by GET /github-apps as installations of the type `forge`, with repositories and branches", () =>
      Effect.gen(function* () {
        const { ask, connection, forge, mint } = yield* connected(store)
        const app = {
          id: 1,
          uuid: connection,
          name: "127.0.0.1:3000",
          organization: null,
          api_url: "http://127.0.0.1:3000/api/v1",
          html_url: "http://127.0.0.1:3000",
          custom_user: "git",
          custom_port: 22,
          app_id: 0,
          installation_id: 0,
          client_id: "",
          private_key_id: null,
          private_key_uuid: null,
          is_system_wide: false,
          is_public: false,
          team_id: 0,
          type: "forge",
          created_at: expect.any(String),
          updated_at: expect.any(String)
        }
        expect(yield* ask(200, "GET", "/github-apps")).toEqual([app])
        expect(yield* ask(200, "GET", "/github-apps/1/repositories")).toEqual({
          repositories: [
            {
              id: 1,
              name: "site",
              full_name: "acme/site",
              private: true,
              html_url: "http://127.0.0.1:3000/acme/site",
              clone_url: "http://127.0.0.1:3000/acme/site.git",
              default_branch: "main",
              owner: { login: "acme" }
            }
          ]
        })
        expect(yield* ask(200, "GET", `/github-apps/${connection}/repositories/acme/site/branches`)).toEqual({
          branches: [{ name: "main", commit: { sha: "5d41402a" }, protected: false }]
        })
        yield* ask(404, "GET", "/github-apps/1/repositories/acme/none/branches")
        forge.tokens.clear()
        expect(yield* ask(502, "GET", "/github-apps/1/repositories")).toEqual({
          message: "The forge rejects the token (401): it was revoked or has expired."
        })
        forge.tokens.set("t0ken", "robot")

        const { text } = yield* mint("read", "write")
        const refused = {
          message: "Validation failed.",
          errors: { uuid: ["This is a forge connection: delete it at /forge-connections/{uuid}."] }
        }
        expect(yield* ask(400, "DELETE", "/github-apps/1", undefined, { token: text })).toEqual(refused)
        expect(yield* ask(400, "DELETE", `/forge-apps/${connection}`, undefined, { token: text })).toEqual(refused)
        yield* ask(400, "PATCH", "/github-apps/1", { name: "other" })

        const body = { git_repository: "acme/site", github_app_uuid: connection }
        const { uuid } = yield* ask(201, "POST", "/applications/private-github-app", body)
        expect(yield* ask(200, "GET", `/applications/${uuid}`)).toMatchObject({
          git_repository: "http://127.0.0.1:3000/acme/site.git",
          forge_app_uuid: connection
        })
        expect(yield* ask(200, "GET", "/github-apps")).toEqual([app])
      }).pipe(Effect.scoped)
    )

    it.live("create an application from a short repository name, with its webhook", () =>
      Effect.gen(function* () {
        const { ask, connection, environment, forge, project, server } = yield* connected(store)
        const { uuid } = yield* ask(201, "POST", create, { git_repository: "acme/site" })
        expect(yield* ask(200, "GET", `/applications/${uuid}`)).toMatchObject({
          variant: "private-forge-app",
          git_repository: "http://127.0.0.1:3000/acme/site.git",
          git_branch: "main",
          build_pack: "dockerfile",
          dockerfile_location: "/Dockerfile",
          ports_exposes: "8080",
          forge_app_uuid: connection,
          project_uuid: project,
          environment_uuid: environment,
          server_uuid: server
        })
        const hooks = forge.hooks.get("acme/site") ?? []
        expect(hooks.map((hook) => hook.url)).toEqual([`${platform}/api/v1/applications/${uuid}/webhooks/gitea`])
        expect(Redacted.value(hooks[0]?.secret ?? Redacted.make(""))).toMatch(/^[0-9a-f]{64}$/)
        expect(yield* ask(409, "DELETE", `/forge-connections/${connection}`)).toEqual({
          message: "Still in use by at least one application; nothing was deleted."
        })
        const { message } = yield* ask(200, "DELETE", `/applications/${uuid}`)
        expect(message).toBe("Application deletion request queued.")
      }).pipe(Effect.scoped)
    )
  })
}

describe("forge connections", () => {
  it.live("read repositories by SSH with a deploy key of the application if the forge has an SSH server", () =>
    Effect.gen(function* () {
      const { ask, connection, forge, send } = yield* connected()
      const { uuid: first } = yield* ask(201, "POST", create, { git_repository: "acme/site" })
      expect(forge.keys.get("acme/site")).toBeUndefined()
      expect(yield* ask(200, "PATCH", `/forge-connections/${connection}`, { ssh_port: 2222 })).toMatchObject({
        ssh_port: 2222
      })
      const { uuid } = yield* ask(201, "POST", create, { git_repository: "acme/site" })
      const keys = forge.keys.get("acme/site") ?? []
      expect(keys).toEqual([
        { title: `slipway deploy ${uuid}`, publicKey: expect.stringMatching(/^ssh-ed25519 [A-Za-z0-9+/=]{68}$/) }
      ])
      expect(first).not.toBe(uuid)
      const shown = yield* send("GET", `/api/v1/applications/${uuid}`)
      expect(shown.json.git_repository).toBe("http://127.0.0.1:3000/acme/site.git")
      expect(shown.text).not.toContain("PRIVATE KEY")
      expect(shown.json).not.toHaveProperty("deploy_key")
      yield* ask(400, "PATCH", `/forge-connections/${connection}`, { ssh_port: 0 })
    }).pipe(Effect.scoped)
  )

  it.live("require the ability `root`, and reject a token that the forge does not accept", () =>
    Effect.gen(function* () {
      const { ask, connection, mint } = yield* connected()
      const { text } = yield* mint("read", "write", "deploy", "read:sensitive")
      const body = { url, token: "t0ken", platform_url: platform }
      yield* ask(403, "POST", "/forge-connections", body, { token: text })
      yield* ask(403, "PATCH", `/forge-connections/${connection}`, { token: "other" }, { token: text })
      yield* ask(403, "DELETE", `/forge-connections/${connection}`, undefined, { token: text })
      yield* ask(200, "GET", "/forge-connections", undefined, { token: text })
      expect(yield* ask(400, "POST", "/forge-connections", { ...body, token: "other" })).toMatchObject({
        errors: { token: ["Cannot connect: the forge rejects the token (401): it was revoked or has expired."] }
      })
      expect(yield* ask(400, "POST", "/forge-connections", { ...body, url: "http://127.0.0.1:3001" })).toMatchObject({
        errors: {
          url: ["Cannot connect: the request to the forge http://127.0.0.1:3001 failed: it does not answer."]
        }
      })
      const form = "Must be an http(s) address without a path, in lower case, such as http://127.0.0.1:3000."
      expect(
        yield* ask(400, "POST", "/forge-connections", { ...body, url: "file:///etc", platform_url: `${platform}/x` })
      ).toMatchObject({ errors: { url: [form], platform_url: [form] } })
      expect((yield* ask(200, "GET", "/forge-connections")).length).toBe(1)
    }).pipe(Effect.scoped)
  )

  it.live("cannot move an application to another repository, even by another connection to the same forge", () =>
    Effect.gen(function* () {
      const { ask, connection, simulation } = yield* connected()
      const { uuid } = yield* ask(201, "POST", create, { git_repository: "acme/site" })
      const change = (body: object, status = 400) => ask(status, "PATCH", `/applications/${uuid}`, body)
      const kept = {
        message: "Validation failed.",
        errors: {
          git_repository: [
            "The application belongs to `acme/site` of a connected forge: create another one for another repository."
          ]
        }
      }
      expect(yield* change({ git_repository: `${url}/acme/other.git` })).toEqual(kept)
      const same = { url, token: "t0ken", platform_url: platform }
      const { uuid: second } = yield* ask(201, "POST", "/forge-connections", same)
      const other = yield* simulation.start("https://forge.example")
      other.tokens.set("t0ken", "robot")
      const { uuid: elsewhere } = yield* ask(201, "POST", "/forge-connections", {
        ...same,
        url: "https://forge.example"
      })
      expect(yield* change({ forge_app_uuid: elsewhere })).toEqual(kept)
      expect(yield* change({ forge_app_uuid: second, git_branch: "next" }, 200)).toMatchObject({
        forge_app_uuid: second,
        git_branch: "next",
        git_repository: `${url}/acme/site.git`
      })
      yield* ask(200, "DELETE", `/forge-connections/${connection}`)
    }).pipe(Effect.scoped)
  )

  it.live("show a revoked token as disconnected, until it is replaced", () =>
    Effect.gen(function* () {
      const { ask, connection, forge } = yield* connected()
      forge.tokens.clear()
      const because = "the forge rejects the token (401): it was revoked or has expired"
      expect(yield* ask(400, "POST", create, { git_repository: "acme/site" })).toMatchObject({
        errors: { git_repository: [`Cannot read the repository: ${because}.`] }
      })
      expect(yield* ask(200, "GET", `/forge-connections/${connection}`)).toMatchObject({
        status: "disconnected",
        reason: because
      })
      forge.tokens.set("t1", "robot")
      expect(yield* ask(200, "PATCH", `/forge-connections/${connection}`, { token: "t1" })).toMatchObject({
        status: "connected",
        reason: null
      })
    }).pipe(Effect.scoped)
  )

  it.live("rotate their token with the ability `root`, unless the forge cannot or rejects it", () =>
    Effect.gen(function* () {
      const { ask, connection, forge, logged, mint } = yield* connected()
      const path = `/forge-connections/${connection}/rotate`
      const { text } = yield* mint("read", "write", "deploy", "read:sensitive")
      yield* ask(403, "POST", path, undefined, { token: text })
      expect(yield* ask(200, "POST", path)).toMatchObject({ account: "robot", status: "connected", is_rotating: true })
      expect([...forge.tokens]).toEqual([
        ["t0ken", "robot"],
        ["rotated-1", "robot"]
      ])
      // The second request finds the rotation under way.
      expect(yield* ask(409, "POST", path)).toEqual({
        message: "The token is being replaced, which takes up to 10 minutes after the swap; no rotation was started."
      })
      expect(forge.rotations).toBe(1)
      expect(JSON.stringify(logged)).not.toContain("rotated-1")
      yield* ask(200, "PATCH", `/forge-connections/${connection}`, { token: "rotated-1" })
      forge.rotates = false
      expect(yield* ask(400, "POST", path)).toMatchObject({
        errors: { token: ["The forge cannot rotate this token: create another one there, and send it with PATCH."] }
      })
      forge.rotates = true
      forge.tokens.clear()
      expect(yield* ask(400, "POST", path)).toMatchObject({
        errors: { token: ["Cannot rotate: the forge rejects the token (401): it was revoked or has expired."] }
      })
      expect(yield* ask(200, "GET", `/forge-connections/${connection}`)).toMatchObject({
        status: "disconnected",
        is_rotating: false
      })
      yield* ask(200, "POST", `/forge-connections/${connection}/disconnect`)
      expect(yield* ask(400, "POST", path)).toMatchObject({
        errors: {
          token: ["Cannot rotate: the forge was disconnected on this platform: connect it again with a new token."]
        }
      })
    }).pipe(Effect.scoped)
  )

  it.live("list the choices (409) if several resources match an omitted field", () =>
    Effect.gen(function* () {
      const { ask, connection, forge, project, server, simulation } = yield* connected()
      const { uuid: other } = yield* ask(201, "POST", "/projects", { name: "other" })
      expect(yield* ask(409, "POST", create, { git_repository: "acme/site" })).toEqual({
        message: "Several resources fit: send project_uuid.",
        choices: {
          project_uuid: [
            { uuid: project, name: "default" },
            { uuid: other, name: "other" }
          ]
        }
      })
      yield* ask(201, "POST", `/projects/${project}/environments`, { name: "staging" })
      expect(
        (yield* ask(409, "POST", create, {
          git_repository: "acme/site",
          project_uuid: project
        })).choices.environment_uuid.map((choice: { readonly name: string }) => choice.name)
      ).toEqual(["production", "staging"])
      const named = { git_repository: "acme/site", project_uuid: project, environment_name: "staging" }
      const second = yield* simulation.start("https://forge.example")
      second.tokens.set("t2", "robot")
      const body = { name: "second", url: "https://forge.example", token: "t2", platform_url: platform }
      const { uuid: connection2 } = yield* ask(201, "POST", "/forge-connections", body)
      expect((yield* ask(409, "POST", create, named)).choices).toEqual({
        forge_app_uuid: [
          { uuid: connection, name: "127.0.0.1:3000" },
          { uuid: connection2, name: "second" }
        ]
      })
      expect(forge.hooks.size).toBe(0)
      const { uuid } = yield* ask(201, "POST", create, { ...named, forge_app_uuid: connection })
      expect(yield* ask(200, "GET", `/applications/${uuid}`)).toMatchObject({
        environment_name: "staging",
        server_uuid: server
      })
    }).pipe(Effect.scoped)
  )

  it.live("name the field and the remedy if a repository cannot be deployed", () =>
    Effect.gen(function* () {
      const { ask, forge } = yield* connected(stores.memory, { "README.md": "" })
      const problemOf = (body: object) => Effect.map(ask(400, "POST", create, body), ({ errors }) => errors)
      expect(yield* problemOf({ git_repository: "acme/none" })).toEqual({
        git_repository: ["The forge `127.0.0.1:3000` has no repository `acme/none` that its account can read."]
      })
      expect(yield* problemOf({ git_repository: "acme/site" })).toEqual({
        build_pack: [
          "The branch `main` has no Dockerfile, compose file, index.html or known manifest in `/`: name the build pack."
        ]
      })
      const repository = { isAdministered: true, files: {} }
      forge.repositories.set("acme/empty", { ...repository, defaultBranch: null })
      expect(yield* problemOf({ git_repository: "acme/empty" })).toEqual({
        git_repository: ["The repository `acme/empty` is empty: push a commit first."]
      })
      forge.repositories.set("acme/read", { ...repository, defaultBranch: "main", isAdministered: false })
      expect(yield* problemOf({ git_repository: "acme/read" })).toEqual({
        git_repository: ["The account `robot` of the connection does not administer `acme/read`."]
      })
      expect(yield* problemOf({ git_repository: "acme/site", build_pack: "static", colour: "red" })).toEqual({
        colour: ["This field is not allowed."]
      })
      expect(yield* ask(200, "GET", "/applications")).toEqual([])
      expect(forge.hooks.size).toBe(0)
    }).pipe(Effect.scoped)
  )

  it.live("are required to create an application from a short repository name", () =>
    Effect.gen(function* () {
      const { ask } = yield* start()
      expect(yield* ask(400, "POST", create, { git_repository: "acme/site" })).toMatchObject({
        errors: {
          git_repository: ["No forge is connected: send the address of the repository, or connect a forge."]
        }
      })
    }).pipe(Effect.scoped)
  )
})

describe("the plan of slipway.yaml", () => {
  const manifest = (web: object) => ({
    Dockerfile: dockerfile,
    "slipway.yaml": JSON.stringify({ applications: { web } }, null, 2)
  })

  it.live("shows changed fields without the values of variables, and changes the application when applied", () =>
    Effect.gen(function* () {
      const web = { domains: ["http://new.example"], variables: { MODE: "s3cr3t" } }
      const { ask, send } = yield* connected(stores.memory, manifest(web))
      const { uuid } = yield* ask(201, "POST", create, { git_repository: "acme/site", domains: "http://old.example" })
      const { text } = yield* send("GET", `/api/v1/applications/${uuid}/plan`)
      expect(JSON.parse(text)).toEqual({
        changes: [
          {
            action: "update",
            type: "application",
            environment: "production",
            name: `site-main-${uuid}`,
            fields: [
              { field: "name", before: `site-main-${uuid}`, after: "web" },
              { field: "domains", before: "http://old.example", after: "http://new.example" }
            ],
            variables: []
          },
          {
            action: "update",
            type: "variable",
            environment: "production",
            name: "web",
            fields: [],
            variables: ["MODE"]
          }
        ],
        problems: []
      })
      expect(text).not.toContain("s3cr3t")
      expect(yield* ask(200, "GET", `/applications/${uuid}`)).toMatchObject({ domains: "http://old.example" })
      yield* ask(200, "POST", `/applications/${uuid}/plan`, {})
      expect(yield* ask(200, "GET", `/applications/${uuid}`)).toMatchObject({
        name: "web",
        domains: "http://new.example"
      })
      expect(yield* ask(200, "GET", `/applications/${uuid}/plan`)).toEqual({ changes: [], problems: [] })
    }).pipe(Effect.scoped)
  )

  it.live("names each problem with its line, and changes nothing if there is a problem", () =>
    Effect.gen(function* () {
      const { ask } = yield* connected(stores.memory, manifest({ previews: true, port: 3_000 }))
      const { uuid } = yield* ask(201, "POST", create, { git_repository: "acme/site" })
      const problem = { line: 5, field: "applications.web.port", problem: "This field is not allowed." }
      expect(yield* ask(200, "POST", `/applications/${uuid}/plan`, {})).toEqual({ changes: [], problems: [problem] })
      expect(yield* ask(200, "GET", `/applications/${uuid}`)).toMatchObject({ is_preview_deployments_enabled: false })
    }).pipe(Effect.scoped)
  )

  it.live(
    "requires the ability `deploy` to create an application, because the application is deployed immediately",
    () =>
      Effect.gen(function* () {
        const files = {
          Dockerfile: dockerfile,
          "slipway.yaml": JSON.stringify({ applications: { web: {}, worker: {} } })
        }
        const { ask, mint } = yield* connected(stores.memory, files)
        const { uuid } = yield* ask(201, "POST", create, { git_repository: "acme/site" })
        const { text } = yield* mint("read", "write")
        yield* ask(403, "POST", `/applications/${uuid}/plan`, {}, { token: text })
        expect((yield* ask(200, "GET", "/applications")).length).toBe(1)
        const { text: deployer } = yield* mint("read", "write", "deploy")
        yield* ask(200, "POST", `/applications/${uuid}/plan`, {}, { token: deployer })
        expect((yield* ask(200, "GET", "/applications")).map(({ name }: { name: string }) => name)).toEqual([
          "web",
          "worker"
        ])
      }).pipe(Effect.scoped)
  )

  it.live("is refused for an application without a connected forge", () =>
    Effect.gen(function* () {
      const { ask, project, server } = yield* start(stores.memory)
      const { uuid } = yield* ask(201, "POST", "/applications/dockerfile", {
        project_uuid: project,
        server_uuid: server,
        environment_name: "production",
        dockerfile: "FROM scratch"
      })
      expect(yield* ask(400, "GET", `/applications/${uuid}/plan`)).toMatchObject({
        errors: { git_repository: ["Only an application from a repository of a connected forge has a `slipway.yaml`."] }
      })
    }).pipe(Effect.scoped)
  )
})
