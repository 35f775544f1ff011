import { assert, describe, it } from "@effect/vitest"
import { isImageName } from "@slipway/domain/deploy/apps"
import { credentialsFor, type RegistryCredentials, registryHost, registryOf } from "@slipway/domain/deploy/containers"
import { Redacted } from "effect"

const known = (...keys: ReadonlyArray<string>): ReadonlyArray<RegistryCredentials> =>
  keys.map((key) => ({
    registry: registryOf(key) ?? assert.fail(`${key} is no registry`),
    username: key,
    password: Redacted.make("password")
  }))

const chosen = (keys: ReadonlyArray<string>, reference: string): string | undefined =>
  credentialsFor(known(...keys), reference)?.username

describe("the credentials for an image", () => {
  it("belong to the registry of the image, for every short form of the image name", () => {
    const digest = `@sha256:${"0".repeat(64)}`
    const keys = ["ghcr.io", "docker.io", "localhost:5000", "localhost", "[::1]:5000"]
    for (const [reference, key] of [
      ["nginx", "docker.io"],
      ["nginx:1", "docker.io"],
      [`nginx${digest}`, "docker.io"],
      ["library/nginx", "docker.io"],
      ["team/app", "docker.io"],
      ["docker.io/nginx", "docker.io"],
      ["index.docker.io/team/app", "docker.io"],
      [`ghcr.io/a/b:1${digest}`, "ghcr.io"],
      [`GHCR.io/a/b${digest}`, "ghcr.io"],
      ["localhost:5000/app", "localhost:5000"],
      ["localhost/app:5000", "localhost"],
      ["[::1]:5000/app", "[::1]:5000"]
    ] as const) {
      assert.isTrue(isImageName(reference), reference)
      assert.strictEqual(chosen(keys, reference), key, reference)
    }
  })

  it("are found by every name of Docker Hub", () => {
    for (const key of ["docker.io", "index.docker.io", "https://index.docker.io/v1/", "https://docker.io"]) {
      for (const reference of ["nginx", "docker.io/team/app", "index.docker.io/nginx"]) {
        assert.strictEqual(chosen([key], reference), key, `${key} ${reference}`)
      }
    }
  })

  it("are never the credentials of another host (invariant I15)", () => {
    for (const [key, reference] of [
      ["ghcr.io", "ghcr.io.evil.example/a"],
      ["ghcr.io", "evil.example/ghcr.io/a"],
      ["ghcr.io", "xghcr.io/a"],
      ["ghcr.io", "ghcr.io:444/a"],
      ["registry.example:5000", "registry.example/a"],
      ["registry.example:5000", "registry.example:50000/a"],
      ["docker.io", "docker.io.evil.example/nginx"],
      ["docker.io", "registry-1.docker.io/nginx"],
      ["localhost", "nginx"],
      // A first part without a dot or a colon is a path of Docker Hub.
      ["https://team", "team/app"]
    ] as const) {
      assert.isUndefined(chosen([key], reference), `${key} ${reference}`)
    }
  })

  it("belong to the longest matching path, and never to a path that only starts with the same characters", () => {
    const keys = ["registry.example", "registry.example/team", "registry.example/team/app", "other.example/team"]
    for (const [reference, key] of [
      ["registry.example/team/app:1", "registry.example/team/app"],
      ["registry.example/team/app/part", "registry.example/team/app"],
      ["registry.example/team/application", "registry.example/team"],
      ["registry.example/teams/app", "registry.example"],
      ["registry.example/team:1", "registry.example/team"],
      ["other.example/team/app", "other.example/team"],
      ["other.example/teams/app", undefined],
      ["other.example/app", undefined]
    ] as const) {
      assert.strictEqual(chosen(keys, reference), key, reference)
      assert.strictEqual(chosen(keys.toReversed(), reference), key, reference)
    }
    assert.strictEqual(chosen(["docker.io", "docker.io/library"], "nginx"), "docker.io/library")
  })

  it("are ignored if their key is not the address of a registry", () => {
    for (const key of ["", "https://", "/team", "ghcr.io\n", "ghcr io", "user@ghcr.io", "*.example", "ghcr.io/../x"]) {
      assert.isUndefined(registryOf(key), JSON.stringify(key))
    }
    assert.strictEqual(registryOf("http://Registry.Example:80/v2/"), "registry.example:80")
    assert.strictEqual(registryOf("registry.example/v2/"), "registry.example")
    assert.strictEqual(registryHost("team/app"), "docker.io")
  })
})
