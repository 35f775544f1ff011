import { describe, expect, it } from "@effect/vitest"
import type { RepositoryAccess } from "@slipway/domain/deploy/apps"
import { SourceSimulation } from "@slipway/memory/deploy"
import { Effect, Layer, Redacted } from "effect"
import { newKey, start, stores } from "../support/harness.ts"
import { makeTeam } from "../support/members.ts"
import { startForge } from "../support/world.ts"

const publicAddress = "https://git.test/acme/site.git"

/** Starts the service with a repository that has some files on its branch `main`. */
const startWith = Effect.fnUntraced(function* (
  store: (typeof stores)[keyof typeof stores],
  files: Readonly<Record<string, string>>,
  address = publicAddress,
  access: RepositoryAccess = { _tag: "Anyone" }
) {
  const service = yield* start(store, Layer.empty)
  const simulation = yield* service.within(Effect.flatMap(SourceSimulation, Effect.succeed))
  yield* simulation.repository(address, access)
  yield* simulation.commit(address, "main", { message: "Begin", files })
  const path = `/projects/${service.project}/environments/production/build-detection`
  const detect = (body: object, status = 200) => service.ask(status, "POST", path, body)
  return { ...service, simulation, detect, path }
})

const nothing = {
  git_branch: "main",
  build_pack: null,
  dockerfile_location: null,
  docker_compose_location: null,
  ports_exposes: null,
  has_manifest: false
}

for (const [name, store] of Object.entries(stores)) {
  describe(`build detection over ${name}`, () => {
    it.live("reads a folder of a public repository, on a branch or the default branch", () =>
      Effect.gen(function* () {
        const { detect, simulation } = yield* startWith(store, {
          Dockerfile: "FROM nginx\nEXPOSE 8080\n",
          "slipway.yaml": "",
          "web/compose.yaml": "",
          "docs/README.md": "",
          "api/package.json": "{}"
        })
        yield* simulation.commit(publicAddress, "next", { message: "Next", files: { "index.html": "" } })
        const git_repository = publicAddress
        const dockerfile = {
          ...nothing,
          build_pack: "dockerfile",
          dockerfile_location: "/Dockerfile",
          ports_exposes: "8080",
          has_manifest: true
        }
        expect(yield* detect({ git_repository })).toEqual(dockerfile)
        expect(yield* detect({ git_repository, git_branch: "main", base_directory: "" })).toEqual(dockerfile)
        expect(yield* detect({ git_repository, git_branch: "next" })).toEqual({
          ...nothing,
          git_branch: "next",
          build_pack: "static"
        })
        const at = (base_directory: string) => detect({ git_repository, base_directory })
        expect(yield* at("/web")).toEqual({
          ...nothing,
          build_pack: "dockercompose",
          docker_compose_location: "/compose.yaml"
        })
        expect(yield* at("/api")).toEqual({ ...nothing, build_pack: "nixpacks" })
        expect(yield* at("/docs")).toEqual(nothing)
      }).pipe(Effect.scoped)
    )

    it.live("names the field that is wrong", () =>
      Effect.gen(function* () {
        const { detect } = yield* startWith(store, { a: "" })
        const problems = Effect.fnUntraced(function* (body: object) {
          return (yield* detect(body, 400)).errors
        })
        const git_repository = publicAddress
        expect(yield* problems({ git_repository: "https://git.test/acme/none" })).toEqual({
          git_repository: ["Cannot read the repository: there is no repository at this address."]
        })
        expect(yield* problems({ git_repository, git_branch: "nope" })).toEqual({
          git_repository: ["Cannot read the repository: there is no branch `nope`."]
        })
        expect(yield* problems({ git_repository, base_directory: "/nope" })).toEqual({
          git_repository: ["Cannot read the repository: there is no folder `/nope` on the branch `main`."]
        })
        expect(yield* problems({ git_repository: "acme/site" })).toEqual({
          forge_app_uuid: ["A short repository name needs a forge connection or an app installation."]
        })
        const nowhere = "aaaaaaaaaaaaaaaaaaaaaaaa"
        expect(yield* problems({ git_repository, private_key_uuid: nowhere })).toEqual({
          private_key_uuid: ["There is no such private key."]
        })
        expect(yield* problems({ git_repository, forge_app_uuid: nowhere })).toEqual({
          forge_app_uuid: ["There is no such git-hosting app installation."]
        })
        expect(yield* problems({ git_repository, forge_app_uuid: nowhere, private_key_uuid: nowhere })).toEqual({
          private_key_uuid: ["Send either private_key_uuid or forge_app_uuid."]
        })
        const invalid = { git_repository: "file:///etc", git_branch: "-x", base_directory: "../.." }
        expect(Object.keys(yield* problems(invalid)).toSorted()).toEqual([
          "base_directory",
          "git_branch",
          "git_repository"
        ])
      }).pipe(Effect.scoped)
    )

    it.live("reads a private repository with a deploy key of the team, and with no key of another team", () =>
      Effect.gen(function* () {
        const address = "git@git.test:acme/private.git"
        const key = newKey()
        const access = { _tag: "Key", privateKey: Redacted.make(key) } as const
        const service = yield* startWith(store, { "index.html": "" }, address, access)
        const { ask, detect, logged } = service
        const { uuid } = yield* ask(201, "POST", "/security/keys", { name: "site", private_key: key })
        expect(yield* detect({ git_repository: address, private_key_uuid: uuid })).toEqual({
          ...nothing,
          build_pack: "static"
        })
        expect((yield* detect({ git_repository: address }, 400)).errors).toEqual({
          git_repository: ["Cannot read the repository: the repository requires credentials."]
        })
        const sent = { token: (yield* makeTeam(service, "other")).token }
        const other = yield* ask(201, "POST", "/security/keys", { name: "other", private_key: newKey() }, sent)
        expect((yield* detect({ git_repository: address, private_key_uuid: other.uuid }, 400)).errors).toEqual({
          private_key_uuid: ["There is no such private key."]
        })
        expect(logged.join()).not.toContain(key.split("\n")[1])
      }).pipe(Effect.scoped)
    )

    it.live("reads a repository of a connected forge through the forge's API", () =>
      Effect.gen(function* () {
        const service = yield* startWith(store, {})
        const { body, forge } = yield* startForge(service)
        const files = { Dockerfile: "FROM nginx\nEXPOSE 81\n" }
        forge.repositories.set("acme/site", { defaultBranch: "main", isAdministered: true, files })
        forge.repositories.set("acme/read", { defaultBranch: "main", isAdministered: false, files })
        const { uuid: forge_app_uuid } = yield* service.ask(201, "POST", "/forge-connections", body)
        const found = {
          ...nothing,
          build_pack: "dockerfile",
          dockerfile_location: "/Dockerfile",
          ports_exposes: "81"
        }
        for (const git_repository of ["acme/site", `${body.url}/acme/site.git`]) {
          expect(yield* service.detect({ git_repository, forge_app_uuid })).toEqual(found)
        }
        expect(yield* service.detect({ git_repository: "acme/site", github_app_uuid: forge_app_uuid })).toEqual(found)
        const problem = Effect.fnUntraced(function* (git_repository: string) {
          return (yield* service.detect({ git_repository, forge_app_uuid }, 400)).errors.git_repository
        })
        expect(yield* problem("acme/read")).toEqual([
          "The account `robot` of the connection does not administer `acme/read`."
        ])
        expect(yield* problem(publicAddress)).toEqual([
          `The forge connection \`127.0.0.1:3000\` opens repositories of ${body.url} only, such as ${body.url}/owner/name.git.`
        ])
      }).pipe(Effect.scoped)
    )

    it.live("needs permission to create resources in the environment", () =>
      Effect.gen(function* () {
        const service = yield* startWith(store, { a: "" })
        const { ask, mint, path, send } = service
        const sent = { git_repository: publicAddress }
        const { text } = yield* mint("read", "deploy")
        yield* ask(403, "POST", path, sent, { token: text })
        yield* ask(404, "POST", path, sent, { token: (yield* makeTeam(service, "other")).token })
        expect((yield* send("POST", `/api/v1${path}`, { token: undefined, body: sent })).status).toBe(401)
      }).pipe(Effect.scoped)
    )
  })
}
