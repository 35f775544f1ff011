import { join } from "node:path"
import { assert, describe, expect, it } from "@effect/vitest"
import { Storages } from "@slipway/deploy/apps"
import { type Configuration, escapeLabels, fields, plainFields } from "@slipway/domain/deploy/apps"
import { type ApplicationUuid, type DeploymentUuid, ReleaseUuid } from "@slipway/domain/deploy/base"
import type { HostAccess } from "@slipway/domain/deploy/containers"
import { mainOf, type Planned, planOf } from "@slipway/domain/deploy/runtime"
import { Effect, Redacted, Result } from "effect"

const application = "a".repeat(24) as ApplicationUuid
const deployment = "d".repeat(24) as DeploymentUuid

const configured = (facts: Partial<Configuration>): Configuration => ({
  ...(Object.fromEntries(plainFields.map((name) => [name, fields[name].unset])) as Configuration),
  ...facts,
  custom_labels: escapeLabels(facts.custom_labels ?? "", facts.is_container_label_escape_enabled ?? true)
})

interface World {
  readonly imagePort?: number
  readonly variables?: Planned["variables"]
  readonly allowed?: HostAccess
  readonly storages?: Planned["storages"]
}

const plannedOf = (
  facts: Partial<Configuration>,
  { allowed = { hostAccess: false }, imagePort, storages = [], variables = [] }: World = {}
): Planned => ({
  deployment,
  release: {
    uuid: ReleaseUuid.make("e".repeat(24)),
    applicationUuid: application,
    deploymentUuid: deployment,
    commit: "HEAD",
    commitMessage: null,
    imageId: "sha256:1",
    imagePort: imagePort ?? null,
    configuration: configured(facts),
    generatedDomain: null,
    secrets: {},
    compose: null,
    variables: [],
    createdAt: "2026-01-01T00:00:00.000Z"
  },
  network: "slipway",
  variables,
  allowed,
  storages,
  compose: null
})

/** Returns a plan or its problems in the format of the golden files. */
const shown = (planned: Planned): string =>
  `${JSON.stringify(Result.match(planOf(planned), { onSuccess: (plan) => plan, onFailure: (problems) => ({ problems }) }), undefined, 2)}\n`

const golden = (name: string) => join(import.meta.dirname, `golden/${name}.json`)

const secrets: Planned["variables"] = [
  ["PASSWORD", Redacted.make("swordfish")],
  ["HOST", Redacted.make("shop.example")]
]

describe("the plan of a container", () => {
  it("has only required fields for minimal settings", async () => {
    await expect(shown(plannedOf({}))).toMatchFileSnapshot(golden("least"))
  })

  it("has every setting, and shows no value of a variable", async () => {
    const text = shown(
      plannedOf(
        {
          ports_exposes: "3000,3001",
          ports_mappings: "8080:3000,127.0.0.1:5353:53/udp",
          custom_labels: "price=$5\nhost=\u0024{HOST}",
          custom_docker_run_options:
            "--entrypoint 'node a.js' --restart on-failure:3 --stop-timeout 7 -v data:/data --tmpfs /t --cap-drop ALL",
          limits_memory: "512m",
          limits_memory_swap: "1g",
          limits_cpus: "0.5",
          health_check_enabled: true,
          health_check_path: "/health?deep=1#not-sent",
          health_check_port: "9000",
          health_check_host: "inner.example",
          health_check_method: "head",
          health_check_scheme: "https",
          health_check_return_code: 204,
          health_check_response_text: "fine",
          health_check_interval: 2,
          health_check_timeout: 3,
          health_check_retries: 4,
          health_check_start_period: 5,
          pre_deployment_command: "migrate --all",
          post_deployment_command: "warm-up"
        },
        { imagePort: 80, variables: secrets }
      )
    )
    assert.notInclude(text, "swordfish")
    await expect(text).toMatchFileSnapshot(golden("everything"))
  })

  it("stops the old container first when a server port is mapped", async () => {
    await expect(shown(plannedOf({ ports_mappings: "8080:80" }))).toMatchFileSnapshot(golden("ports"))
  })

  it("splits commands into arguments, and runs none by a shell (invariant I23)", async () => {
    await expect(
      shown(
        plannedOf({
          pre_deployment_command: `sh -c "echo 'it''s' \\"here\\"; rm -rf /" '$(touch /tmp/x)' \`id\``,
          post_deployment_command: "say a\\ b '' --upload-pack=/bin/sh ; true"
        })
      )
    ).toMatchFileSnapshot(golden("commands"))
  })

  it("reports all invalid container fields together", async () => {
    await expect(
      shown(
        plannedOf({
          ports_mappings: "8000-9999:8000-9999",
          custom_labels: "slipway.application=another",
          custom_docker_run_options: "--privileged --no-such-option"
        })
      )
    ).toMatchFileSnapshot(golden("problems"))
  })

  it("names the command with an unclosed quote", () => {
    for (const field of ["pre_deployment_command", "post_deployment_command"] as const) {
      const plan = planOf(plannedOf({ [field]: "echo 'never closed" }))
      assert.deepStrictEqual(Result.isFailure(plan) && plan.failure, { [field]: ["The quote ' is not closed."] })
    }
  })

  it("grants a container access to the server only where the instance allows it", () => {
    const facts = { custom_docker_run_options: "--privileged" }
    assert.isTrue(Result.isFailure(planOf(plannedOf(facts))))
    const plan = Result.getOrThrow(planOf(plannedOf(facts, { allowed: { hostAccess: true } })))
    assert.isTrue(mainOf(plan).spec.options.dangerous.privileged)
  })

  it("serves at the exposed port, else the image's port, else 80", () => {
    const portOf = (facts: Partial<Configuration>, world?: World) =>
      mainOf(Result.getOrThrow(planOf(plannedOf(facts, world)))).port
    assert.deepStrictEqual(
      [portOf({ ports_exposes: "3000,80" }, { imagePort: 8080 }), portOf({}, { imagePort: 8080 }), portOf({})],
      [3000, 8080, 80]
    )
  })

  it("sets PORT for buildpack programs, 3000 by default", () => {
    const told = (facts: Partial<Configuration>, world?: World) => {
      const { port, spec } = mainOf(Result.getOrThrow(planOf(plannedOf(facts, world))))
      return [port, spec.environment.map(([name, value]) => [name, Redacted.value(value)])]
    }
    const own: World = { variables: [["PORT", Redacted.make("5000")]] }
    const others: World = { variables: [["A", Redacted.make("1")], ...(own.variables ?? [])] }
    assert.deepStrictEqual(told({ build_pack: "nixpacks" }), [3000, [["PORT", "3000"]]])
    assert.deepStrictEqual(told({ build_pack: "nixpacks", ports_exposes: "8080" }), [8080, [["PORT", "8080"]]])
    assert.deepStrictEqual(told({ build_pack: "nixpacks", is_static: true }), [80, []])
    assert.deepStrictEqual(told({ build_pack: "dockerfile" }), [80, []])
    assert.deepStrictEqual(told({ build_pack: "nixpacks" }, own), [3000, [["PORT", "5000"]]])
    assert.deepStrictEqual(told({ build_pack: "nixpacks" }, others), [
      3000,
      [
        ["A", "1"],
        ["PORT", "5000"]
      ]
    ])
  })

  it.effect("mounts storages, and stops the old container first for writable ones", () =>
    Effect.sync(() => {
      const storages = Storages.mountsOf([
        { name: "data", mountPath: "/data", service: null, hostPath: null, content: null },
        { name: "logs", mountPath: "/logs", service: null, hostPath: "/srv/logs", content: null }
      ])
      const refused = planOf(plannedOf({}, { storages }))
      assert.deepStrictEqual(Result.isFailure(refused) && Object.keys(refused.failure), ["storages"])
      const plan = Result.getOrThrow(planOf(plannedOf({}, { storages, allowed: { hostAccess: true } })))
      const { spec, takesTurns } = mainOf(plan)
      assert.isTrue(takesTurns)
      assert.deepStrictEqual(spec.options.mounts, [
        { source: { _tag: "Volume", name: `${application}_data` }, target: "/data", readOnly: false }
      ])
      assert.deepStrictEqual(spec.options.dangerous.mounts, [
        { source: { _tag: "Host", path: "/srv/logs" }, target: "/logs", readOnly: false }
      ])
      assert.isFalse(mainOf(Result.getOrThrow(planOf(plannedOf({})))).takesTurns)
    })
  )
})
