import { join } from "node:path"
import { assert, describe, expect, it } from "@effect/vitest"
import type { ApplicationUuid, DeploymentUuid } from "@slipway/domain/deploy/base"
import { containerSpec, noOptions, readRunOptions } from "@slipway/domain/deploy/containers"
import { Redacted, Result } from "effect"
import { plainReference, splitReference } from "../src/references.ts"
import { creationOf } from "../src/spec.ts"

const owner = {
  application: "a".repeat(24) as ApplicationUuid,
  deployment: "d".repeat(24) as DeploymentUuid,
  service: "web"
}
const least = { owner, name: "name", image: "sha256:1" }

const optionsOf = (line: string) => Result.getOrThrow(readRunOptions(line, { hostAccess: true }))

describe("the request to create a container", () => {
  it("has only the required fields for a minimal specification", async () => {
    const body = JSON.stringify(creationOf(containerSpec(least), "docker"), undefined, 2)
    await expect(`${body}\n`).toMatchFileSnapshot(join(import.meta.dirname, "golden/least.json"))
  })

  it("has every field of a full specification", async () => {
    const everything = containerSpec({
      ...least,
      entrypoint: ["/bin/app"],
      command: ["--flag", "$(id)"],
      environment: [
        ["A", Redacted.make("b=c")],
        ["EMPTY", Redacted.make("")]
      ],
      labels: [
        ["mine", "`yes`"],
        ["slipway.application", "another"]
      ],
      networks: [
        { network: "one", aliases: ["web"] },
        { network: "two", aliases: [] }
      ],
      ports: [
        { address: null, host: 8080, container: 80, protocol: "tcp" },
        { address: "127.0.0.1", host: 8081, container: 80, protocol: "tcp" },
        { address: null, host: 53, container: 53, protocol: "udp" }
      ],
      mounts: [{ source: { _tag: "Volume", name: "data" }, target: "/data", readOnly: true }],
      limits: {
        memory: 1,
        memorySwap: -1,
        memoryReservation: 2,
        memorySwappiness: 0,
        nanoCpus: 3,
        cpuset: "0-1",
        cpuShares: 4
      },
      restart: { _tag: "OnFailure", times: 5 },
      healthCheck: { command: ["check"], interval: 1, timeout: 2, retries: 3, startPeriod: 4 },
      options: {
        ...optionsOf(
          "--init --read-only --hostname h -u 1:2 -w /w --stop-signal SIGINT --stop-timeout 9 --shm-size 1m --pids-limit 7 " +
            "--oom-score-adj 8 --dns 1.1.1.1 --dns-search s --dns-opt ndots:1 --add-host a:1.2.3.4 --group-add g " +
            "--ulimit nofile=1:2 --sysctl net.a=1 --cap-drop ALL --security-opt no-new-privileges " +
            "--tmpfs /t:size=1m,mode=1777,ro -v own:/own"
        )
      }
    })
    const body = JSON.stringify(creationOf(everything, "docker"), undefined, 2)
    await expect(`${body}\n`).toMatchFileSnapshot(join(import.meta.dirname, "golden/everything.json"))
  })

  it("disables the health check of the image", () => {
    const body = creationOf(containerSpec({ ...least, healthCheck: "disabled" }), "podman")
    assert.deepStrictEqual(body["Healthcheck"], { Test: ["NONE"] })
    assert.isUndefined(creationOf(containerSpec(least), "podman")["Healthcheck"])
  })

  it("grants access to the server only as the options allow", async () => {
    const options = optionsOf(
      "--privileged --cap-add NET_ADMIN --device /dev/fuse:/dev/f:r -v /srv:/srv:ro --security-opt seccomp=unconfined " +
        "--pid host --ipc host --network host --gpus 2"
    )
    const spec = containerSpec({ ...least, networks: [{ network: "one", aliases: [] }], options })
    const body = JSON.stringify(creationOf(spec, "docker"), undefined, 2)
    await expect(`${body}\n`).toMatchFileSnapshot(join(import.meta.dirname, "golden/dangerous.json"))
    const closed = JSON.stringify(creationOf({ ...spec, options: noOptions }, "docker"))
    for (const open of ["Privileged", "CapAdd", "Devices", "bind", "SecurityOpt", "host", "DeviceRequests"]) {
      assert.include(body, open)
      assert.notInclude(closed, open)
    }
  })
})

describe("image references", () => {
  it("are shown in the requested short form", () => {
    for (const [full, plain] of [
      ["docker.io/library/nginx:alpine", "nginx:alpine"],
      ["docker.io/slipway/a:b", "slipway/a:b"],
      ["localhost/a:b", "a:b"],
      ["localhost:5000/a:b", "localhost:5000/a:b"],
      ["registry.example/library/a:b", "registry.example/library/a:b"]
    ] as const) {
      assert.strictEqual(plainReference(full), plain)
    }
  })

  it("are pulled by digest, else by tag, else by `latest`", () => {
    for (const [reference, repository, version] of [
      ["nginx", "nginx", "latest"],
      ["nginx:alpine", "nginx", "alpine"],
      ["registry.example:5000/team/app", "registry.example:5000/team/app", "latest"],
      ["registry.example:5000/team/app:1", "registry.example:5000/team/app", "1"],
      ["app@sha256:00", "app", "sha256:00"],
      ["app:1@sha256:00", "app", "sha256:00"]
    ] as const) {
      assert.deepStrictEqual(splitReference(reference), [repository, version])
    }
  })
})
