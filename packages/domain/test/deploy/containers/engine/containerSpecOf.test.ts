import { assert, describe, it } from "@effect/vitest"
import { type Configuration, escapeLabels, fields, plainFields } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid, DeploymentUuid } from "@slipway/domain/deploy/base"
import {
  containerProblems,
  containerSpecOf,
  expandLabels,
  limitsOf,
  noLimits,
  noOptions,
  readLabels,
  readPortMappings
} from "@slipway/domain/deploy/containers"
import { Redacted, Result } from "effect"

const application = "a".repeat(24) as ApplicationUuid
const deployment = "d".repeat(24) as DeploymentUuid
const owner = { application, deployment, service: null }
const allowed = { hostAccess: false }

const configured = (facts: Partial<Configuration>): Configuration => ({
  ...(Object.fromEntries(plainFields.map((name) => [name, fields[name].unset])) as Configuration),
  ...facts,
  custom_labels: escapeLabels(facts.custom_labels ?? "", facts.is_container_label_escape_enabled ?? true)
})

const wanted = (facts: Partial<Configuration>) => ({
  owner,
  configuration: configured(facts),
  image: "sha256:1",
  variables: [
    ["HOST", Redacted.make("a.example")],
    ["QUOTE", Redacted.make("$(id) `id` \"'\n")]
  ] as const,
  networks: [{ network: "slipway", aliases: ["web"] }],
  allowed,
  storages: []
})

describe("containerSpecOf", () => {
  it("adds a suffix to a hostname, so that the hostname shadows no name in the network (invariant I22)", () => {
    const spec = containerSpecOf(wanted({ custom_docker_run_options: "--hostname db" }))
    assert.strictEqual(Result.getOrThrow(spec).options.hostname, `db.${application}`)
  })

  it("sets only image, names, network and variables for a plain application", () => {
    const plain = wanted({})
    assert.deepStrictEqual(
      containerSpecOf(plain),
      Result.succeed({
        owner,
        name: `${application}-${deployment}`,
        image: "sha256:1",
        entrypoint: null,
        command: null,
        environment: plain.variables,
        labels: [],
        networks: plain.networks,
        ports: [],
        mounts: [],
        files: [],
        limits: noLimits,
        restart: { _tag: "UnlessStopped" },
        healthCheck: null,
        options: noOptions
      })
    )
  })

  it("maps each field of the configuration to the container", () => {
    const spec = Result.getOrThrow(
      containerSpecOf(
        wanted({
          limits_memory: "512m",
          limits_memory_swap: "-1",
          limits_memory_reservation: "1g",
          limits_memory_swappiness: 10,
          limits_cpus: "0.5",
          limits_cpuset: "0-1",
          limits_cpu_shares: 512,
          ports_mappings: "8080:80, 127.0.0.1:5353:53/udp",
          custom_labels: "traefik.enable=true\n\n# a comment\nprice=$5\nempty\nhost=\u0024{HOST}",
          custom_docker_run_options: "--entrypoint 'node a.js' --restart always -v data:/data --cap-drop ALL"
        })
      )
    )
    assert.deepStrictEqual(spec.limits, {
      memory: 536_870_912,
      memorySwap: -1,
      memoryReservation: 1_073_741_824,
      memorySwappiness: 10,
      nanoCpus: 500_000_000,
      cpuset: "0-1",
      cpuShares: 512
    })
    assert.deepStrictEqual(spec.ports, [
      { address: null, host: 8080, container: 80, protocol: "tcp" },
      { address: "127.0.0.1", host: 5353, container: 53, protocol: "udp" }
    ])
    assert.deepStrictEqual(spec.labels, [
      ["traefik.enable", "true"],
      ["price", "$5"],
      ["empty", ""],
      ["host", "\u0024{HOST}"]
    ])
    assert.deepStrictEqual(spec.entrypoint, ["node", "a.js"])
    assert.deepStrictEqual(spec.restart, { _tag: "Always" })
    assert.deepStrictEqual(spec.options.capDrop, ["ALL"])
  })

  it("gives each application separate volumes (invariant I22)", () => {
    const spec = Result.getOrThrow(containerSpecOf(wanted({ custom_docker_run_options: "-v data:/data" })))
    assert.deepStrictEqual(
      spec.options.mounts.map(({ source }) => source),
      [{ _tag: "Volume", name: `${application}_data` }]
    )
  })

  it("expands variables in labels with unescaped dollar signs", () => {
    const labels = (facts: Partial<Configuration>) => Result.getOrThrow(containerSpecOf(wanted(facts))).labels
    const custom_labels = "host=$HOST/\u0024{HOST}\nunknown=[$NOPE]\nprice=$5 $$"
    assert.deepStrictEqual(labels({ custom_labels, is_container_label_escape_enabled: false }), [
      ["host", "a.example/a.example"],
      ["unknown", "[]"],
      ["price", "$5 $"]
    ])
    assert.deepStrictEqual(labels({ custom_labels }), [
      ["host", "$HOST/\u0024{HOST}"],
      ["unknown", "[$NOPE]"],
      ["price", "$5 $$"]
    ])
  })

  it("reports all invalid fields, including options that the instance no longer allows", () => {
    const broken = {
      custom_docker_run_options: "--privileged",
      custom_labels: "slipway.managed=false\nSlipway.Application=x\n=y",
      ports_mappings: "1-1000:1-1000,2000:2000"
    }
    const problems = Result.flip(containerSpecOf(wanted(broken))).pipe(Result.getOrThrow)
    assert.deepStrictEqual(Object.keys(problems), ["custom_docker_run_options", "custom_labels", "ports_mappings"])
    assert.deepStrictEqual(problems.custom_labels, [
      "The label `slipway.managed` is reserved for the platform.",
      "The label `Slipway.Application` is reserved for the platform.",
      "A label needs a name."
    ])
    assert.deepStrictEqual(containerProblems(broken, allowed), problems)
    assert.deepStrictEqual(containerProblems({}, allowed), {})
  })
})

describe("limitsOf", () => {
  it("sets no limit for 0 and for kernel defaults", () => {
    assert.deepStrictEqual(limitsOf(configured({})), noLimits)
    assert.deepStrictEqual(limitsOf(configured({ limits_cpus: "", limits_memory: "", limits_cpuset: "" })), noLimits)
  })
})

describe("readPortMappings", () => {
  it("creates one mapping per port of a range", () => {
    const mappings = Result.getOrThrow(readPortMappings("[::1]:8000-8002:9000-9002/tcp"))
    assert.deepStrictEqual(
      mappings.map(({ address, container, host }) => [address, host, container]),
      [
        ["::1", 8000, 9000],
        ["::1", 8001, 9001],
        ["::1", 8002, 9002]
      ]
    )
    assert.deepStrictEqual(readPortMappings(""), Result.succeed([]))
  })
})

describe("labels", () => {
  it("keep backticks, quotes and other characters unchanged (invariant I23)", () => {
    const hostile = "rule=Host(`a.example`) && $(id) \"'; rm"
    assert.deepStrictEqual(readLabels(hostile), Result.succeed([["rule", "Host(`a.example`) && $(id) \"'; rm"]]))
    assert.deepStrictEqual(expandLabels([["a", "$$(id) $$HOST `x`"]], new Map([["HOST", "no"]])), [
      ["a", "$(id) $HOST `x`"]
    ])
  })

  it("are limited in size after their variables are expanded (invariant I25)", () => {
    const variables = [["LONG", Redacted.make("x".repeat(100_000))]] as const
    const named = (custom_labels: string) =>
      containerSpecOf({ ...wanted({ custom_labels, is_container_label_escape_enabled: false }), variables })
    const tooLong = Result.fail({
      custom_labels: ["Must have at most 100000 characters, including the variables in them."]
    })
    assert.isTrue(Result.isSuccess(named("a=$LONG")))
    assert.deepStrictEqual(named(`a=${"$LONG".repeat(20_000)}`), tooLong)
    assert.deepStrictEqual(named("a=$LONG\nb=$LONG"), tooLong)
    const many = Array.from({ length: 1_001 }, (_, n) => `l${n}=`)
    assert.isTrue(Result.isSuccess(readLabels(many.slice(1).join("\n"))))
    assert.deepStrictEqual(readLabels(many.join("\n")), Result.fail(["Must have at most 1000 labels."]))
    assert.deepStrictEqual(readLabels("=\n".repeat(50_000)), Result.fail(["Must have at most 1000 labels."]))
  })
})
