import type { Application, Release } from "@slipway/domain/deploy/apps"
import { ApplicationStore, addressesOf, originalOf, ReleaseStore } from "@slipway/domain/deploy/apps"
import type { ContainerDetails, ContainerSpec, Upstream } from "@slipway/domain/deploy/containers"
import { BasicAuthHasher, routesOf } from "@slipway/domain/deploy/containers"
import type { Plan } from "@slipway/domain/deploy/runtime"
import { mainOf } from "@slipway/domain/deploy/runtime"
import { Effect, Redacted } from "effect"
import { findConflicts } from "../../apps/domains/Domains.ts"
import { open as openSecrets } from "../../apps/secrets/secrets.ts"
import { type DeployTarget, fail } from "./deployContext.ts"

/** The part of a release that determines its routes. */
export type Routed = Pick<Release, "applicationUuid" | "configuration" | "generatedDomain" | "secrets">

/** The upstream addresses of each service of an application; null is the key for an application without services. */
export type Upstreams = ReadonlyMap<string | null, ReadonlyArray<Upstream>>

/** Builds the routes of an application to its containers, or to an error page while it does not run. */
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

/** Returns the address of a container at which the proxy reaches it; undefined while the container has no address. */
export const addressOf = (
  { network }: Pick<Plan, "network">,
  { options }: Pick<ContainerSpec, "options">,
  { addresses, state }: Pick<ContainerDetails, "addresses" | "state">
): string | undefined => {
  // The proxy is in the host network too.
  if (options.dangerous.network === "host") return state === "running" ? "127.0.0.1" : undefined
  const address = addresses[network] ?? Object.values(addresses)[0]
  return address === "" ? undefined : address
}

/** Finds the addresses of a plan's containers, by service name. Omits containers without an address. */
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

/** Finds the addresses of a plan's containers by service name; fails if a service has no container with an address. */
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

/** Fails if a release uses a domain that its application released and another resource uses now (invariant I28). */
export const requireAddresses = Effect.fnUntraced(function* (
  { uuid, variant }: Pick<Application, "uuid" | "variant">,
  release: Release
) {
  // The copies of an application have its domains, each on another server.
  const owner = (yield* originalOf(uuid)) ?? uuid
  const holder = { type: variant === "service" ? "service" : "application", uuid: owner } as const
  const [conflict] = yield* findConflicts(holder, addressesOf(release))
  if (conflict !== undefined) return yield* fail(`the address ${conflict.domain} belongs to another application`)
})

/** Builds the error page routes of a stopped application, from its release or else from its current settings. */
const routesNowhere = (application: Application) =>
  routesFor({ ...application, applicationUuid: application.uuid }, new Map())

/**
 * Routes the domains of an application to an error page while it does not run on a server.
 *
 * Removes routes that no longer belong to the application there, and routes that the proxy rejects.
 */
export const routeToErrorPage = Effect.fnUntraced(function* ({
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
    // A concurrent deletion has removed the routes already.
    if ((yield* present) !== undefined) return
  }
  yield* proxy.remove(uuid, isUnserved)
})
