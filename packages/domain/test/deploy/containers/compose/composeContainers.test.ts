import { assert, describe, it } from "@effect/vitest"
import type { ApplicationUuid, DeploymentUuid } from "@slipway/domain/deploy/base"
import {
  type ComposeProject,
  composeContainers,
  composeNetworks,
  composeVolumes,
  noOptions,
  readComposeProject
} from "@slipway/domain/deploy/containers"
import { Redacted, Result } from "effect"
import { outputOfVersion2 } from "./composeOutputs.ts"

const application = "shopshopshopshopshopshop" as ApplicationUuid
const deployment = "firstfirstfirstfirstfirs" as DeploymentUuid

const projectOf = (config: unknown, hostAccess = false): ComposeProject =>
  Result.getOrThrow(readComposeProject(config, { directory: "/repo", allowed: { hostAccess } }))

const containersOf = (project: ComposeProject, served: ReadonlyArray<string> = []) =>
  composeContainers({
    project,
    application,
    deployment,
    images: new Map([["web", "sha256:built"]]),
    network: "shared",
    served: new Set(served)
  })

describe("the containers of a compose project", () => {
  it("are listed in start order, and each container belongs to its service", () => {
    const [db, migrate, web] = containersOf(projectOf(outputOfVersion2), ["web"])
    assert.deepStrictEqual(db?.owner, { application, deployment, service: "db" })
    assert.strictEqual(db?.name, `${application}-${deployment}-db`)
    assert.deepStrictEqual([db?.image, migrate?.image, web?.image], ["postgres:16", "shop/migrate:2", "sha256:built"])
    assert.deepStrictEqual(web?.entrypoint, ["sh", "-c"])
    assert.deepStrictEqual(web?.command, ["npm", "run", "start it"])
    assert.deepStrictEqual(
      web?.environment.map(([name, value]) => `${name}=${Redacted.value(value)}`),
      ["COUNT=5", "EMPTY=", "FROM=bar", "PRICE=5 $ each"]
    )
    assert.deepStrictEqual(
      web?.ports.map(({ host }) => host),
      [8080, 9000, 9001]
    )
  })

  it("have their service name in the application's networks, and no name in the shared network (invariant I22)", () => {
    const [db, migrate, web] = containersOf(projectOf(outputOfVersion2), ["web"])
    assert.deepStrictEqual(db?.networks, [{ network: `${application}_front`, aliases: ["db"] }])
    assert.deepStrictEqual(migrate?.networks, [{ network: application, aliases: ["migrate"] }])
    assert.deepStrictEqual(web?.networks, [
      { network: application, aliases: ["web"] },
      { network: `${application}_front`, aliases: ["web", "shop"] },
      { network: "shared", aliases: [] }
    ])
    assert.deepStrictEqual([...composeNetworks(projectOf(outputOfVersion2), application)].sort(), [
      application,
      `${application}_front`
    ])
    const onHost = projectOf({ services: { web: { image: "x", network_mode: "host" } } }, true)
    assert.deepStrictEqual(containersOf(onHost, ["web"])[0]?.networks, [])
    assert.deepStrictEqual(composeNetworks(onHost, application), [])
  })

  it("have no hostname in the shared network, where `db` would be ambiguous (invariant I22)", () => {
    const hostnameOf = (served: ReadonlyArray<string>, hostname = "db") => {
      const project = projectOf({ services: { web: { image: "x", hostname }, other: { image: "x" } } })
      return containersOf(project, served).find(({ owner }) => owner.service === "web")?.options.hostname
    }
    assert.strictEqual(hostnameOf([]), "db")
    assert.strictEqual(hostnameOf(["web"]), `db.${application}`)
    assert.strictEqual(hostnameOf(["web"], `${"x".repeat(37)}-${"y".repeat(20)}`), `${"x".repeat(37)}.${application}`)
    assert.isNull(containersOf(projectOf({ services: { web: { image: "x" } } }), ["web"])[0]?.options.hostname)
  })

  it("use volumes of their application only (invariant I22)", () => {
    const project = projectOf(outputOfVersion2)
    const sources = containersOf(project).flatMap(({ mounts, options }) =>
      [...mounts, ...options.mounts].flatMap(({ source }) => (source._tag === "Volume" ? [source.name] : []))
    )
    assert.deepStrictEqual([...new Set(sources)].sort(), [...composeVolumes(project, application)].sort())
    assert.isTrue(sources.every((name) => name.startsWith(`${application}_`)))
  })

  it("restart by default, unless the files set another policy or a container waits for their exit", () => {
    assert.deepStrictEqual(
      containersOf(projectOf(outputOfVersion2)).map(({ restart }) => restart._tag),
      ["OnFailure", "Never", "Always"]
    )
    const [plain] = containersOf(projectOf({ services: { web: { image: "x" } } }))
    assert.deepStrictEqual(plain?.restart, { _tag: "UnlessStopped" })
    assert.deepStrictEqual(plain?.options, noOptions)
  })
})
