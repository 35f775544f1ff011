import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { layerContainerEngine } from "@slipway/docker"
import { type PodmanService, startPodman } from "@slipway/docker/testing"
import type { ApplicationUuid, DeploymentUuid } from "@slipway/domain/deploy/base"
import {
  ContainerEngine,
  type ContainerSpec,
  containerName,
  containerSpec,
  readRunOptions
} from "@slipway/domain/deploy/containers"
import { layer as memory } from "@slipway/memory/deploy"
import { layerSshConnections } from "@slipway/ssh"
import { Effect, Exit, Layer, Result, Scope } from "effect"

const scope = Effect.runSync(Scope.make())
let podman: PodmanService | undefined

beforeAll(() =>
  Effect.runPromise(
    Effect.gen(function* () {
      podman = yield* startPodman
    }).pipe(Scope.provide(scope))
  )
)
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const layer = layerContainerEngine.pipe(Layer.provide(layerSshConnections), Layer.provide(memory))
const owner = {
  application: "a".repeat(24) as ApplicationUuid,
  deployment: "d".repeat(24) as DeploymentUuid,
  service: null
}
const ref = { application: owner.application, name: containerName(owner) }

/** Runs a container, and returns the output of a shell in it. */
const inside = (facts: Partial<ContainerSpec>, script: string) =>
  Effect.gen(function* () {
    if (podman === undefined) return yield* Effect.die("podman was not started")
    const engine = yield* (yield* ContainerEngine).open(podman.access)
    const spec = containerSpec({ owner, name: ref.name, image: podman.image, command: ["sleep", "60"], ...facts })
    yield* Effect.acquireRelease(engine.create(spec), () => Effect.orDie(engine.remove(ref)))
    yield* engine.start(ref)
    const { output } = yield* engine.exec(ref, { argv: ["sh", "-c", script] })
    return output.map(({ text }) => text)
  }).pipe(Effect.scoped, Effect.provide(layer))

const optionsOf = (line: string) => Result.getOrThrow(readRunOptions(line, { hostAccess: false }))

describe("a container", () => {
  it.live("gets the options that its application sets", () =>
    Effect.gen(function* () {
      const options = optionsOf(
        "--hostname inner --user 1000:1001 --workdir /tmp --ulimit nofile=256:512 --ulimit nproc=512 --cap-drop ALL --read-only " +
          "--security-opt no-new-privileges --shm-size 1m --add-host db:10.9.8.7 --group-add 7 " +
          "--sysctl net.ipv4.ip_default_ttl=42 --tmpfs /scratch:size=2m,mode=1777 -v data:/data:ro"
      )
      const said = yield* inside(
        { options },
        "hostname; id -u; id -g; pwd; grep 'open files' /proc/1/limits | tr -s ' '; grep -E 'CapBnd|NoNewPrivs' /proc/self/status | tr -s '\\t ' ' '; " +
          "touch /x 2>&1 | grep -c Read-only; touch /data/x 2>&1 | grep -c Read-only; touch /scratch/x && echo scratch; " +
          "grep -c 10.9.8.7 /etc/hosts; cat /proc/sys/net/ipv4/ip_default_ttl; df -k /dev/shm | tail -1 | tr -s ' ' | cut -d ' ' -f 2; " +
          "id -G"
      )
      assert.deepStrictEqual(said, [
        "inner",
        "1000",
        "1001",
        "/tmp",
        "Max open files 256 512 files ",
        "CapBnd: 0000000000000000",
        "NoNewPrivs: 1",
        "1",
        "1",
        "scratch",
        "1",
        "42",
        "1024",
        "1001 7"
      ])
    })
  )

  it.live("gets few privileges by default, and no access to its server", () =>
    Effect.gen(function* () {
      const said = yield* inside(
        {},
        "grep CapEff /proc/self/status | tr -s '\\t ' ' '; ls /dev/kmsg /dev/sda 2>&1 | grep -c 'No such'; ls /proc | grep -c '^[0-9]'"
      )
      const [capabilities = "", devices, processes = ""] = said
      const eff = BigInt(`0x${capabilities.replace("CapEff: ", "")}`)
      const [netAdmin, sysModule, sysAdmin] = [12n, 16n, 21n]
      for (const capability of [netAdmin, sysModule, sysAdmin]) assert.strictEqual((eff >> capability) & 1n, 0n)
      assert.strictEqual(devices, "2")
      assert.isBelow(Number(processes), 8)
    })
  )

  it.live("can be reached by its aliases in each network", () =>
    Effect.gen(function* () {
      if (podman === undefined) return yield* Effect.die("podman was not started")
      const engine = yield* (yield* ContainerEngine).open(podman.access)
      const network = `${owner.application}-net`
      const other = { ...owner, deployment: "e".repeat(24) as DeploymentUuid }
      yield* engine.ensureNetwork(network, owner.application)
      const web = containerSpec({
        owner: other,
        name: containerName(other),
        image: podman.image,
        command: ["httpd", "-f", "-p", "8080", "-h", "/etc"],
        networks: [{ network, aliases: ["web"] }]
      })
      yield* engine.create(web)
      const webRef = { application: other.application, name: web.name }
      yield* engine.start(webRef)
      const asked = Effect.filterOrFail(
        inside({ networks: [{ network, aliases: [] }] }, "wget -q -O - http://web:8080/hostname"),
        ([line]) => /^[0-9a-f]{12}$/.test(line ?? "")
      )
      const [answer = "nothing"] = yield* Effect.retry(asked, { times: 3 })
      assert.include((yield* engine.inspect(webRef)).id, answer)
      yield* engine.remove(webRef)
      assert.isTrue(yield* engine.removeNetwork(owner.application, network))
    }).pipe(Effect.scoped, Effect.provide(layer))
  )
})
