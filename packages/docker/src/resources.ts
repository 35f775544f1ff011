import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import {
  type Engine,
  type EngineFailure,
  isReservedNetwork,
  label,
  NameTaken,
  type Network,
  NetworkNotFound,
  ResourceInUse,
  type Volume
} from "@slipway/domain/deploy/containers"
import { Effect, Random, Schema } from "effect"
import { type Api, answerDecoder, inPath, refusal } from "./client.ts"

const Labels = Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.String)))
const Resource = Schema.Struct({
  Name: Schema.String,
  Labels,
  Id: Schema.optionalKey(Schema.String),
  Created: Schema.optionalKey(Schema.String)
})
type Resource = (typeof Resource)["Type"]

const readResource = answerDecoder(Resource)
const readNetworks = answerDecoder(Schema.Array(Resource))
const readMade = answerDecoder(Schema.Struct({ Id: Schema.optionalKey(Schema.String) }))
const readVolumes = answerDecoder(Schema.Struct({ Volumes: Schema.NullOr(Schema.Array(Resource)) }))

const applicationOf = ({ Labels }: Resource): ApplicationUuid | null =>
  (Labels?.[label.application] as ApplicationUuid | undefined) ?? null

const isManaged = ({ Labels }: Resource): boolean => Labels?.[label.managed] === "true"

const labelled = (application: ApplicationUuid | null) => ({
  [label.managed]: "true",
  ...(application === null ? {} : { [label.application]: application })
})

const filtersOf = (application: ApplicationUuid | null): string =>
  JSON.stringify({
    label: [`${label.managed}=true`, `${label.application}${application === null ? "" : `=${application}`}`]
  })

/** A type of named engine resource: networks or volumes. */
interface Kind {
  readonly path: "/networks" | "/volumes"
  readonly creation: (name: string) => Effect.Effect<object>
  /** Whether the platform may use an existing resource that it did not create. */
  readonly adopts: boolean
}

const ageOf = ({ Created = "", Id = "" }: Resource): string => `${Created} ${Id}`

/**
 * Lists the networks with a name, oldest first. Docker can have several, because concurrent requests may create the
 * same name.
 */
const networksNamed = (api: Api, name: string) =>
  api.ask({ method: "GET", path: "/networks", query: { filters: JSON.stringify({ name: [name] }) } }).pipe(
    Effect.flatMap(readNetworks),
    Effect.map((resources) =>
      resources
        .filter((resource) => resource.Name === name)
        .toSorted((one, other) => (ageOf(one) < ageOf(other) ? -1 : 1))
    )
  )

const find = (api: Api, { path }: Kind, name: string): Effect.Effect<Resource | undefined, EngineFailure> =>
  path === "/networks"
    ? Effect.map(networksNamed(api, name), ([oldest]) => oldest)
    : Effect.flatMap(
        api.ask({ method: "GET", path: `${path}/${inPath(name)}` }),
        (answer): Effect.Effect<Resource | undefined, EngineFailure> => {
          if (answer.status === 404) return Effect.succeed(undefined)
          return Effect.map(readResource(answer), (resource) => (resource.Name === name ? resource : undefined))
        }
      )

/**
 * Removes the network that was just created if an older network has the same name, so that only the oldest one remains.
 */
const keepOldest = Effect.fnUntraced(function* (api: Api, name: string, createdId: string | undefined) {
  const [oldest, ...others] = yield* networksNamed(api, name)
  if (createdId === undefined || oldest?.Id === createdId || !others.some(({ Id }) => Id === createdId)) return
  yield* api.ask({ method: "DELETE", path: `/networks/${inPath(createdId)}` })
})

const fits = ({ adopts }: Kind, resource: Resource, application: ApplicationUuid | null): boolean =>
  applicationOf(resource) === application && (isManaged(resource) || (adopts && application === null))

/**
 * Creates a network or volume if it does not exist. If several callers run concurrently, one of them creates it, and
 * the others use it.
 */
const ensure = Effect.fnUntraced(function* (api: Api, kind: Kind, name: string, application: ApplicationUuid | null) {
  if (isReservedNetwork(name)) return yield* new NameTaken({ name })
  const present = yield* find(api, kind, name)
  if (present !== undefined) {
    return fits(kind, present, application) ? undefined : yield* new NameTaken({ name })
  }
  const body = { Name: name, Labels: labelled(application), ...(yield* kind.creation(name)) }
  const answer = yield* api.ask({ method: "POST", path: `${kind.path}/create`, json: body })
  if (answer.status < 400 && kind.path === "/networks") {
    yield* keepOldest(api, name, (yield* readMade(answer)).Id)
  }
  const resource = yield* find(api, kind, name)
  if (resource === undefined) return yield* refusal(answer)
  if (!fits(kind, resource, application)) return yield* new NameTaken({ name })
})

const remove = Effect.fnUntraced(function* (api: Api, kind: Kind, application: ApplicationUuid, name: string) {
  const present = yield* find(api, kind, name)
  if (present === undefined || !isManaged(present) || applicationOf(present) !== application) return false
  // Podman removes a network by its id even while containers use it; Docker can have two with one name.
  const exactly = api.product === "docker" ? (present.Id ?? name) : name
  const answer = yield* api.ask({ method: "DELETE", path: `${kind.path}/${inPath(exactly)}` })
  if (answer.status < 400) return true
  if (answer.status === 404) return false
  const isUsed =
    answer.status === 403 || answer.status === 409 || /in use|being used|active endpoints/i.test(answer.because)
  return yield* isUsed ? new ResourceInUse({ name }) : refusal(answer)
})

const byName = (one: { readonly name: string }, other: { readonly name: string }): number =>
  one.name < other.name ? -1 : 1

const networkOf = (resource: Resource): Network => ({ name: resource.Name, application: applicationOf(resource) })

// Podman names bridges by counting, and two services on one machine count alike: a random name can't collide.
const bridgeName = Effect.map(
  Random.nextIntBetween(0, 2 ** 40),
  (number) => `slw${number.toString(36).padStart(8, "0")}`
)

const networks = (api: Api): Kind => ({
  path: "/networks",
  adopts: true,
  creation: () =>
    Effect.map(api.product === "podman" ? bridgeName : Effect.succeed(undefined), (bridge) => ({
      Driver: "bridge",
      CheckDuplicate: true,
      ...(bridge === undefined ? {} : { Options: { "com.docker.network.bridge.name": bridge } })
    }))
})

const volumes: Kind = { path: "/volumes", adopts: false, creation: () => Effect.succeed({ Driver: "local" }) }

const isOf = (network: Network, application: ApplicationUuid | null): boolean =>
  application === null ? network.application !== null : network.application === application

/** Returns the network and volume operations of an engine. */
export const resourcesOf = (
  api: Api
): Pick<
  Engine,
  | "ensureNetwork"
  | "ensureVolume"
  | "inspectNetwork"
  | "listNetworks"
  | "listVolumes"
  | "removeNetwork"
  | "removeVolume"
> => ({
  ensureNetwork: (name, application) => ensure(api, networks(api), name, application),
  inspectNetwork: (name) =>
    Effect.flatMap(find(api, networks(api), name), (resource) =>
      resource === undefined ? Effect.fail(new NetworkNotFound({ name })) : Effect.succeed(networkOf(resource))
    ),
  listNetworks: (application) =>
    api.ask({ method: "GET", path: "/networks", query: { filters: filtersOf(application) } }).pipe(
      Effect.flatMap(readNetworks),
      Effect.map((resources) =>
        resources
          .map(networkOf)
          .filter((network) => isOf(network, application))
          .toSorted(byName)
      )
    ),
  removeNetwork: (application, name) => remove(api, networks(api), application, name),
  ensureVolume: (application, name) => ensure(api, volumes, name, application),
  listVolumes: (application) =>
    api.ask({ method: "GET", path: "/volumes", query: { filters: filtersOf(application) } }).pipe(
      Effect.flatMap(readVolumes),
      Effect.map(({ Volumes }) =>
        (Volumes ?? [])
          .filter((resource) => applicationOf(resource) === application)
          .map(({ Name }): Volume => ({ name: Name, application }))
          .toSorted(byName)
      )
    ),
  removeVolume: (application, name) => remove(api, volumes, application, name)
})
