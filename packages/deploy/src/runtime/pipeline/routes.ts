import type { Application, Release } from "@slipway/domain/deploy/apps"
import { ApplicationStore, addressesOf, ReleaseStore } from "@slipway/domain/deploy/apps"
import type { ContainerDetails, ContainerSpec, Upstream } from "@slipway/domain/deploy/containers"
import { BasicAuthHasher, routesOf } from "@slipway/domain/deploy/containers"
import type { Plan } from "@slipway/domain/deploy/runtime"
import { mainOf } from "@slipway/domain/deploy/runtime"
import { Effect, Redacted } from "effect"
import { findConflicts } from "../../apps/domains/Domains.ts"
import { open as openSecrets } from "../../apps/secrets/secrets.ts"
import { type DeployTarget, fail } from "./deployContext.ts"

/** The part of a release that its routes are made from. */
export type Routed = Pick<Release, "applicationUuid" | "configuration" | "generatedDomain" | "secrets">

/** The upstream addresses of each service of an application; null is the key for an application without services. */
export type Upstreams = ReadonlyMap<string | null, ReadonlyArray<Upstream>>

/** Makes the routes of an application that lead to its containers, or nowhere while it doesn't run. */
export const routesFor = Effect.fnUntraced(function* (release: Routed, upstreams: Upstreams) {
  const { http_basic_auth_password: password } = yield* openSecrets({
    uuid: release.applicationUuid,
    secrets: release.secrets
  })
  return routesOf({
    configuration: release.configuration,
    generatedDomain: release.generatedDomain,
    passwordHash:
      password === undefined || password === ""
        ? null
        : yield* (yield* BasicAuthHasher).hash(release.applicationUuid, Redacted.make(password)),
    upstreams: (service) => upstreams.get(service) ?? []
  })
})

/** Returns the address by which the proxy reaches a container; nothing while it has none. */
export const addressOf = (
  { network }: Pick<Plan, "network">,
  { options }: Pick<ContainerSpec, "options">,
  { addresses, state }: Pick<ContainerDetails, "addresses" | "state">
): string | undefined => {
  // The proxy is in the server's own network, too.
  if (options.dangerous.network === "host") return state === "running" ? "127.0.0.1" : undefined
  const address = addresses[network] ?? Object.values(addresses)[0]
  return address === "" ? undefined : address
}

/** Finds where those containers of a plan listen that have an address, by the names of their services. */
export const presentUpstreams = Effect.fnUntraced(function* ({ engine }: Pick<DeployTarget, "engine">, plan: Plan) {
  const upstreams = new Map<string | null, ReadonlyArray<Upstream>>()
  for (const { port, spec } of plan.containers) {
    if (port === null) continue
    const { service } = spec.owner
    const present = upstreams.get(service) ?? []
    const host = yield* engine.inspect({ application: plan.application, name: spec.name }).pipe(
      Effect.map((details) => addressOf(plan, spec, details)),
      Effect.catchTag("ContainerNotFound", () => Effect.undefined)
    )
    upstreams.set(service, host === undefined ? present : [...present, { host, port }])
  }
  return upstreams.set(null, upstreams.get(mainOf(plan).spec.owner.service) ?? [])
})

/** Finds where the containers of a plan listen, each service of which has to. */
export const upstreamsOf = Effect.fnUntraced(function* (target: Pick<DeployTarget, "engine">, plan: Plan) {
  const upstreams = yield* presentUpstreams(target, plan)
  for (const [service, found] of upstreams) {
    if (found.length > 0) continue
    return yield* fail(
      `the container ${service === null ? mainOf(plan).spec.name : `of \`${service}\``} has no address`
    )
  }
  return upstreams
})

/** Fails when a release has an address that its application gave up and another has taken since (invariant I28). */
export const requireAddresses = Effect.fnUntraced(function* (release: Release) {
  const holder = { type: "application", uuid: release.applicationUuid } as const
  const [conflict] = yield* findConflicts(holder, addressesOf(release))
  if (conflict !== undefined) return yield* fail(`the address ${conflict.domain} belongs to another application`)
})

/** Makes the routes of an application that doesn't run: without a release, they are those of the application as it is now. */
const routesNowhere = (application: Application) =>
  routesFor({ ...application, applicationUuid: application.uuid }, new Map())

/**
 * Leads the visitors of an application that doesn't run on a server nowhere; no route stays where it doesn't belong any
 * more, and none that the proxy refuses.
 */
export const leadNowhere = Effect.fnUntraced(function* ({
  application: { uuid },
  proxy,
  server
}: Pick<DeployTarget, "application" | "proxy" | "server">) {
  const present = Effect.gen(function* () {
    const application = yield* (yield* ApplicationStore).find(uuid)
    const isHere = application?.placement.serverUuid === server.uuid
    return isHere && (yield* (yield* ReleaseStore).serving(uuid)) === undefined ? application : undefined
  })
  // Domains that are served here again keep their routes.
  const isUnserved = Effect.map(
    Effect.flatMap(ReleaseStore, (releases) => releases.serving(uuid)),
    (serving) => serving?.serverUuid !== server.uuid
  )
  const application = yield* present
  if (application !== undefined) {
    const gone = () => Effect.asVoid(proxy.remove(uuid, isUnserved))
    yield* proxy
      .apply(uuid, yield* routesNowhere(application), isUnserved)
      .pipe(Effect.catchTags({ RouteTaken: gone, ProxyRefused: gone }))
    // A deletion that began meanwhile has looked for routes already.
    if ((yield* present) !== undefined) return
  }
  yield* proxy.remove(uuid, isUnserved)
})
