import { assert, describe, it } from "@effect/vitest"
import type { ApplicationUuid, DeploymentUuid } from "@slipway/domain/deploy/base"
import type { RegistryCredentials } from "@slipway/domain/deploy/containers"
import { Effect, Redacted, Stream } from "effect"
import { buildOf } from "./support/build.ts"
import { layer, listening } from "./support/engine.ts"

const owner = {
  application: "a".repeat(24) as ApplicationUuid,
  deployment: "d".repeat(24) as DeploymentUuid,
  service: null
}

const of = (registry: string): RegistryCredentials => ({
  registry,
  username: "üser",
  password: Redacted.make(`of ${registry} ???>>>`)
})

const decoded = (header: string | ReadonlyArray<string> | undefined): unknown => {
  if (typeof header !== "string") return header
  assert.match(header, /^[A-Za-z0-9_-]+={0,2}$/)
  return JSON.parse(Buffer.from(header, "base64url").toString())
}

const told = (registry: string) => ({ username: "üser", password: `of ${registry} ???>>>` })

/** Requests a build with credentials, and returns the credentials that the engine received. */
const building = Effect.fnUntraced(function* (product: "docker" | "podman", registries: ReadonlyArray<string>) {
  const { asked, engine } = yield* listening(product)
  const options = buildOf(owner)
  const context = Stream.make(new Uint8Array(1024))
  yield* Effect.flip(Stream.runDrain(engine.build(context, { ...options, credentials: registries.map(of) })))
  assert.isUndefined(asked[0]?.headers["x-registry-auth"])
  return decoded(asked[0]?.headers["x-registry-config"])
})

describe("credentials sent to an engine", () => {
  it.live("are sent for every registry in a build, under the names that engines expect", () =>
    Effect.gen(function* () {
      const registries = ["docker.io", "ghcr.io", "registry.example:5000/team", "registry.example:5000"]
      assert.deepStrictEqual(yield* building("podman", registries), {
        "https://index.docker.io/v1/": told("docker.io"),
        "ghcr.io": told("ghcr.io"),
        "registry.example:5000": told("registry.example:5000"),
        "registry.example:5000/team": told("registry.example:5000/team")
      })
      assert.deepStrictEqual(yield* building("docker", [...registries, "other.example/b", "other.example/a"]), {
        "https://index.docker.io/v1/": told("docker.io"),
        "ghcr.io": told("ghcr.io"),
        "registry.example:5000": told("registry.example:5000"),
        "other.example": told("other.example/b")
      })
      assert.isUndefined(yield* building("podman", []))
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

  it.live("are sent for one registry in a pull, with the full image name", () =>
    Effect.gen(function* () {
      const { asked, engine } = yield* listening("podman")
      const pull = (reference: string, credentials?: RegistryCredentials) =>
        Effect.flip(Stream.runDrain(engine.pull(reference, credentials)))
      yield* pull("nginx:1", of("docker.io"))
      yield* pull("registry.example/team/app@sha256:00", of("registry.example/team"))
      yield* pull("nginx:1")
      const seen = asked.map(({ headers, url = "" }) => [
        new URL(url, "http://engine").searchParams.get("fromImage"),
        decoded(headers["x-registry-auth"])
      ])
      assert.deepStrictEqual(seen, [
        ["docker.io/library/nginx", { ...told("docker.io"), serveraddress: "docker.io" }],
        ["registry.example/team/app", { ...told("registry.example/team"), serveraddress: "registry.example" }],
        ["nginx", undefined]
      ])
    }).pipe(Effect.scoped, Effect.provide(layer))
  )
})
