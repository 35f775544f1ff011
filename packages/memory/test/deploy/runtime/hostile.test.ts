import { assert, describe, it } from "@effect/vitest"
import type { Configuration, Variant } from "@slipway/domain/deploy/apps"
import { imageReference } from "@slipway/domain/deploy/containers"
import { EngineSimulation, SourceSimulation } from "@slipway/memory/deploy"
import { Effect } from "effect"
import { linesOf, pass, place, plantApplication, queue, shown, startWorker, world } from "./support/support.ts"

const address = "https://me:p@ss@forge.example/a/b.git"
const file = "docker-compose.yaml"

/** Deploys the `n`th application with an untrusted configuration. */
const deploying = Effect.gen(function* () {
  const planted = yield* place()
  yield* startWorker()
  return Effect.fnUntraced(function* (n: number, facts: Partial<Configuration> = {}, variant?: Variant) {
    const deployment = yield* queue(n, yield* plantApplication(planted, n, facts, variant))
    yield* pass(10)
    return { ...(yield* shown(deployment)), lines: yield* linesOf(deployment) }
  })
})

/** Puts a compose file of one service and other files into a repository. */
const putCompose = Effect.fnUntraced(function* (files: Readonly<Record<string, string>>) {
  const sources = yield* SourceSimulation
  yield* sources.repository(address, { _tag: "Anyone" })
  const text = JSON.stringify({ services: { web: { build: { context: "/simulated/2" }, expose: ["80"] } } })
  yield* sources.commit(address, "main", { message: "Begin", files: { ...files, [file]: text } })
})

const composed: Partial<Configuration> = {
  build_pack: "dockercompose",
  docker_compose_location: `/${file}`,
  git_repository: address,
  git_branch: "main",
  domains: ""
}

describe("hostile configuration", () => {
  it.effect("cannot run the image of another application under any of its names (invariant I22)", () =>
    Effect.gen(function* () {
      const deploy = yield* deploying
      const { applicationUuid: application, serverUuid, uuid: deployment } = yield* deploy(1)
      const [repository = "", tag = ""] = imageReference({ application, deployment, service: null }).split(":")
      const before = (yield* (yield* EngineSimulation).inventory(serverUuid)).images
      const [{ id } = assert.fail("nothing was built")] = before
      const names = [
        repository,
        `docker.io/${repository}`,
        `localhost/${repository}`,
        repository.slice("slipway/".length)
      ]
      const references = [
        ...names.map((name) => [name, tag] as const),
        [id.slice(7), ""] as const,
        ["sha256", id.slice(7)] as const
      ]
      for (const [at, [name, version]] of references.entries()) {
        const facts = { docker_registry_image_name: name, docker_registry_image_tag: version }
        const { reason, status } = yield* deploy(at + 2, facts, "dockerimage")
        assert.strictEqual(status, "failed", name)
        assert.match(reason ?? "", /is not in a registry|cannot be pulled/, name)
      }
      assert.deepStrictEqual((yield* (yield* EngineSimulation).inventory(serverUuid)).images, before)
    }).pipe(Effect.provide(world))
  )

  it.effect("leaves no password in a log, even if the password contains an `@` (invariant I15)", () =>
    Effect.gen(function* () {
      const deploy = yield* deploying
      const { lines } = yield* deploy(1, composed, "public")
      assert.include(lines, "fetching `main` of https://forge.example/a/b.git")
      assert.notInclude(lines.join("\n"), "ss@")
    }).pipe(Effect.provide(world))
  )

  it.effect(
    "cannot replace a Dockerfile by a symlink, which an engine would follow on its server (invariant I22)",
    () =>
      Effect.gen(function* () {
        yield* putCompose({ Dockerfile: "-> /etc/shadow" })
        const { reason } = yield* (yield* deploying)(1, composed, "public")
        assert.strictEqual(reason, "there is no `Dockerfile` in the repository")
      }).pipe(Effect.provide(world))
  )

  it.effect("is deployed when its Dockerfile is a regular file", () =>
    Effect.gen(function* () {
      yield* putCompose({ Dockerfile: "FROM works" })
      const { reason } = yield* (yield* deploying)(1, { ...composed, health_check_enabled: false }, "public")
      assert.isNull(reason)
    }).pipe(Effect.provide(world))
  )
})
