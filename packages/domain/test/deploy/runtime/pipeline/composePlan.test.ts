import { assert, describe, it } from "@effect/vitest"
import { type Configuration, fields, plainFields } from "@slipway/domain/deploy/apps"
import { type ApplicationUuid, type DeploymentUuid, ReleaseUuid } from "@slipway/domain/deploy/base"
import { type ReleasedCompose, readComposeProject } from "@slipway/domain/deploy/containers"
import { planOf } from "@slipway/domain/deploy/runtime"
import { Result } from "effect"

const application = "a".repeat(24) as ApplicationUuid
const deployment = "d".repeat(24) as DeploymentUuid
const named = (service: string) => `${application}-${deployment}-${service}`

const shop = {
  services: {
    web: {
      build: { context: "/repo/web", dockerfile: "Dockerfile" },
      expose: ["3000"],
      depends_on: { db: { condition: "service_healthy" }, migrate: { condition: "service_completed_successfully" } },
      networks: { default: null }
    },
    db: {
      image: "postgres:16",
      networks: { default: null },
      volumes: [{ type: "volume", source: "data", target: "/var/lib/postgresql/data" }],
      stop_grace_period: "30s"
    },
    migrate: { image: "shop/migrate:1", networks: { default: null } }
  },
  networks: { default: { name: "x_default" } },
  volumes: { data: { name: "x_data" } }
}

const imagesOf = (ports: Readonly<Record<string, number>>): ReleasedCompose["images"] =>
  ["web", "migrate", "db"].map((service) => ({ service, id: `sha256:${service}`, port: ports[service] ?? null }))

const planned = (
  facts: Partial<Configuration>,
  { config = shop as unknown, ports = { db: 5432 } as Readonly<Record<string, number>> } = {}
) =>
  planOf({
    deployment,
    release: {
      uuid: ReleaseUuid.make("e".repeat(24)),
      applicationUuid: application,
      deploymentUuid: deployment,
      commit: "HEAD",
      commitMessage: null,
      imageId: "sha256:db",
      imagePort: 5432,
      configuration: {
        ...(Object.fromEntries(plainFields.map((name) => [name, fields[name].unset])) as Configuration),
        build_pack: "dockercompose",
        ...facts
      },
      generatedDomain: null,
      secrets: {},
      compose: null,
      variables: [],
      createdAt: "2026-01-01T00:00:00.000Z"
    },
    network: "shared",
    variables: [],
    allowed: { hostAccess: false },
    storages: [],
    compose: {
      project: Result.getOrThrow(readComposeProject(config, { directory: "/repo", allowed: { hostAccess: false } })),
      images: imagesOf(ports)
    }
  })

const planFor = (...args: Parameters<typeof planned>) => Result.getOrThrow(planned(...args))

describe("the plan of a compose project", () => {
  it("starts services in dependency order, after each dependency has the required state", () => {
    const plan = planFor({})
    assert.deepStrictEqual(
      plan.containers.map(({ after, spec }) => [spec.owner.service, after]),
      [
        ["db", []],
        ["migrate", []],
        [
          "web",
          [
            { container: named("db"), state: "healthy" },
            { container: named("migrate"), state: "completed" }
          ]
        ]
      ]
    )
    assert.deepStrictEqual(plan.networks, [
      { name: "shared", application: null },
      { name: application, application }
    ])
  })

  it("routes visitors to the service with a domain, or to a listening service without dependents", () => {
    const portsOf = (plan: ReturnType<typeof planFor>) =>
      Object.fromEntries(plan.containers.map(({ port, spec }) => [spec.owner.service, port]))
    const usual = planFor({})
    assert.strictEqual(usual.main, named("web"))
    assert.deepStrictEqual(portsOf(usual), { db: null, migrate: null, web: 3000 })
    const chosen = planFor({ docker_compose_domains: [{ name: "db", domain: "http://db.example" }] })
    assert.strictEqual(chosen.main, named("db"))
    assert.deepStrictEqual(portsOf(chosen), { db: 5432, migrate: null, web: null })
  })

  it("connects only visited services to the shared network by default (invariant I22)", () => {
    const sharing = (facts: Partial<Configuration>) =>
      planFor(facts)
        .containers.filter(({ spec }) => spec.networks.some(({ network }) => network === "shared"))
        .map(({ spec }) => spec.owner.service)
    assert.deepStrictEqual(sharing({}), ["web"])
    assert.deepStrictEqual(sharing({ connect_to_docker_network: true }), ["db", "migrate", "web"])
  })

  it("stops the previous container before the new one starts if the service has a writable volume or a server port", () => {
    const config = {
      ...shop,
      services: { ...shop.services, web: { ...shop.services.web, ports: [{ target: 80, published: "8080" }] } }
    }
    assert.deepStrictEqual(
      planFor({}, { config }).containers.map(({ spec, takesTurns }) => [
        spec.owner.service,
        takesTurns,
        spec.options.stopTimeout
      ]),
      [
        ["db", true, 30],
        ["migrate", false, null],
        ["web", true, null]
      ]
    )
  })

  it("starts the new container before the previous one stops if the service writes to memory only", () => {
    const migrate = { ...shop.services.migrate, tmpfs: ["/tmp"] }
    const plan = planFor({}, { config: { ...shop, services: { ...shop.services, migrate } } })
    assert.deepStrictEqual(
      plan.containers.map(({ spec, takesTurns }) => [spec.owner.service, takesTurns, spec.image]),
      [
        ["db", true, "sha256:db"],
        ["migrate", false, "sha256:migrate"],
        ["web", false, "sha256:web"]
      ]
    )
  })

  it("routes visitors to the last service if no service listens", () => {
    const { db: _, ...services } = { ...shop.services, web: { image: "a:1" }, last: { image: "b:1" } }
    const plan = planFor({}, { config: { services }, ports: {} })
    assert.strictEqual(plan.main, named("last"))
  })

  it("does not restart a container if another container waits for its exit", () => {
    const policies = planFor({}).containers.map(({ spec }) => [spec.owner.service, spec.restart._tag])
    assert.deepStrictEqual(Object.fromEntries(policies), {
      db: "UnlessStopped",
      migrate: "Never",
      web: "UnlessStopped"
    })
  })

  it("is refused if the service of a domain is missing or exposes no port", () => {
    const problem = (name: string) =>
      Result.match(planned({ docker_compose_domains: [{ name, domain: "http://x.example" }] }), {
        onFailure: (problems) => problems.docker_compose_domains?.[0],
        onSuccess: () => undefined
      })
    assert.strictEqual(problem("shop"), "There is no service `shop`: use one of `db`, `migrate`, `web`.")
    assert.strictEqual(problem("migrate"), "The service `migrate` exposes no port: list it under `expose`.")
    assert.isUndefined(problem("web"))
  })
})
