import {
  type Container,
  type ContainerDetails,
  ContainerNotFound,
  type ContainerRef,
  type ContainerSpec,
  type Engine,
  type EngineFailure,
  ImageNotFound,
  isReservedNetwork,
  label,
  NameTaken,
  NetworkNotFound,
  type OwnerFilter,
  PortTaken
} from "@slipway/domain/deploy/containers"
import { Effect, Equal, Schedule, Schema } from "effect"
import { type Answer, type Api, answerDecoder, inPath, refusal } from "./client.ts"
import { addressesIn, detailsOf, type Listed, ownerOf, readListed, readShown, stateOf } from "./details.ts"
import { writeFiles } from "./files.ts"
import { creationOf, mountsOf } from "./spec.ts"

const readWaited = answerDecoder(Schema.Struct({ StatusCode: Schema.Number }))

interface Present {
  readonly details: ContainerDetails
  readonly networks: ReadonlyArray<string>
}

const isManaged = ({ labels }: Container): boolean => labels[label.managed] === "true"

/** Finds the container with a name, regardless of the application that owns it. */
const named = (api: Api, name: string): Effect.Effect<Present | undefined, EngineFailure> =>
  Effect.flatMap(
    api.ask({ method: "GET", path: `/containers/${inPath(name)}/json` }),
    (answer): Effect.Effect<Present | undefined, EngineFailure> => {
      if (answer.status === 404) return Effect.succeed(undefined)
      return Effect.map(readShown(answer), (shown) => {
        const details = detailsOf(shown)
        // Engines also find containers by the prefix of their ids.
        return details.name === name
          ? { details, networks: Object.keys(shown.NetworkSettings.Networks ?? {}) }
          : undefined
      })
    }
  )

/** Finds a container of an application. A container of another application is reported as missing (invariant I22). */
export const findOwned = (
  api: Api,
  { application, name }: ContainerRef
): Effect.Effect<ContainerDetails, EngineFailure | ContainerNotFound> =>
  Effect.flatMap(
    named(api, name),
    (found): Effect.Effect<ContainerDetails, ContainerNotFound> =>
      found !== undefined && isManaged(found.details) && found.details.owner.application === application
        ? Effect.succeed(found.details)
        : Effect.fail(new ContainerNotFound({ name }))
  )

const attach = Effect.fnUntraced(function* (api: Api, { networks }: ContainerSpec, present: Present) {
  for (const { aliases, network } of networks) {
    if (present.networks.includes(network)) continue
    const answer = yield* api.ask({
      method: "POST",
      path: `/networks/${inPath(network)}/connect`,
      json: { Container: present.details.id, EndpointConfig: { Aliases: aliases } }
    })
    if (answer.status === 404) return yield* new NetworkNotFound({ name: network })
    if (answer.status >= 400 && !/already/i.test(answer.because)) return yield* refusal(answer)
  }
})

const missingImage = ({ because, status }: Answer): boolean =>
  status === 404 && /image/i.test(because) && !/network/i.test(because)

const isTaken = ({ because, status }: Answer): boolean => status === 409 || /already in use/i.test(because)

/**
 * Waits for a container that another process is creating: Docker reserves its name before the container can be
 * inspected.
 */
const appearing = (api: Api, name: string) =>
  Effect.repeat(named(api, name), {
    until: (found) => found !== undefined,
    schedule: Schedule.spaced("100 millis"),
    times: 100
  })

/** Creates a container, or completes a creation that a killed process started. */
const create = Effect.fnUntraced(function* (
  api: Api,
  spec: ContainerSpec,
  resources: Pick<Engine, "ensureVolume" | "inspectNetwork">
) {
  const reserved = spec.networks.find(({ network }) => isReservedNetwork(network))
  if (reserved !== undefined) return yield* new NetworkNotFound({ name: reserved.network })
  const host = spec.options.dangerous.network !== null
  const own = { ...spec, networks: host ? [] : spec.networks }
  let present = yield* named(api, spec.name)
  if (present === undefined) {
    for (const { network } of own.networks) yield* resources.inspectNetwork(network)
    for (const { source } of mountsOf(spec)) {
      if (source._tag === "Volume") yield* resources.ensureVolume(spec.owner.application, source.name)
    }
    const answer = yield* api.ask({
      method: "POST",
      path: "/containers/create",
      query: { name: spec.name },
      json: creationOf(own, api.product)
    })
    if (missingImage(answer)) return yield* new ImageNotFound({ reference: spec.image, because: answer.because })
    present = yield* isTaken(answer) ? appearing(api, spec.name) : named(api, spec.name)
    if (present === undefined) return yield* refusal(answer)
  }
  if (!isManaged(present.details) || !Equal.equals(present.details.owner, spec.owner)) {
    return yield* new NameTaken({ name: spec.name })
  }
  yield* attach(api, own, present)
  // Again after a process was killed before the files were written.
  if (present.details.state === "created") yield* writeFiles(api, present.details.id, spec.files)
  return present.details
})

const start = Effect.fnUntraced(function* (api: Api, ref: ContainerRef) {
  const { id } = yield* findOwned(api, ref)
  const answer = yield* api.ask({ method: "POST", path: `/containers/${id}/start` })
  if (answer.status < 400) return
  if (answer.status === 404) return yield* new ContainerNotFound({ name: ref.name })
  const { because } = answer
  return yield* /port is already allocated|address already in use|port.*in use/i.test(because)
    ? new PortTaken({ because })
    : refusal(answer)
})

/** Returns whether an error response means that the container was already stopped. */
const isEnded = ({ because, status }: Answer): boolean =>
  status < 400 || status === 409 || /not running|only kill running|state improper/i.test(because)

const beyondStopTimeout = 30

const stop = Effect.fnUntraced(function* (api: Api, ref: ContainerRef) {
  const { id, stopTimeout } = yield* findOwned(api, ref)
  const answer = yield* api.ask({
    method: "POST",
    path: `/containers/${id}/stop`,
    query: { t: String(stopTimeout) },
    seconds: stopTimeout + beyondStopTimeout
  })
  if (answer.status === 404) return yield* new ContainerNotFound({ name: ref.name })
  if (!isEnded(answer)) return yield* refusal(answer)
})

const kill = Effect.fnUntraced(function* (api: Api, ref: ContainerRef) {
  const { id, state } = yield* findOwned(api, ref)
  if (state === "created" || state === "exited" || state === "dead") return
  const answer = yield* api.ask({ method: "POST", path: `/containers/${id}/kill` })
  if (answer.status === 404) return yield* new ContainerNotFound({ name: ref.name })
  if (!isEnded(answer)) return yield* refusal(answer)
})

/** Returns whether Podman failed to remove a restarting container because it exited before Podman could kill it. */
const endedMeanwhile = ({ because }: Answer): boolean => /state improper/i.test(because)

const remove = Effect.fnUntraced(function* (api: Api, ref: ContainerRef) {
  const found = yield* Effect.catchTag(findOwned(api, ref), "ContainerNotFound", () => Effect.succeed(undefined))
  if (found === undefined) return false
  // Podman stops a container gracefully first: it is killed here, because a container that is removed isn't needed any
  // more.
  if (found.state === "running" || found.state === "restarting") {
    yield* api.ask({ method: "POST", path: `/containers/${found.id}/kill` })
  }
  const asked = api.ask({ method: "DELETE", path: `/containers/${found.id}`, query: { force: "true", v: "true" } })
  const answer = yield* Effect.repeat(asked, {
    while: endedMeanwhile,
    schedule: Schedule.spaced("100 millis"),
    times: 50
  })
  if (answer.status === 404) return false
  if (answer.status >= 400 && !/removal .*already in progress/i.test(answer.because)) return yield* refusal(answer)
  return true
})

const nameOf = (each: Listed): string => each.Names?.[0]?.replace(/^\//, "") ?? ""

/** Lists the running containers of applications that match additional filters. */
const running = (api: Api, more: Readonly<Record<string, ReadonlyArray<string>>> = {}) => {
  const filters = JSON.stringify({ label: [`${label.managed}=true`], status: ["running"], ...more })
  return api.ask({ method: "GET", path: "/containers/json", query: { filters } }).pipe(
    Effect.flatMap(readListed),
    Effect.map((listed) =>
      listed.map((each) => ({
        name: nameOf(each),
        owner: ownerOf(each.Labels ?? {}),
        addresses: addressesIn(each.NetworkSettings?.Networks)
      }))
    )
  )
}

const list = (api: Api, { application, deployment }: OwnerFilter) => {
  const labels = [`${label.managed}=true`, `${label.application}=${application}`]
  if (deployment !== undefined) labels.push(`${label.deployment}=${deployment}`)
  const filters = JSON.stringify({ label: labels })
  return api.ask({ method: "GET", path: "/containers/json", query: { all: "true", filters } }).pipe(
    Effect.flatMap(readListed),
    Effect.map((listed) =>
      listed
        .map((each): Container => {
          const owner = ownerOf(each.Labels ?? {})
          return {
            id: each.Id,
            name: nameOf(each),
            owner,
            image: each.ImageID.startsWith("sha256:") ? each.ImageID : `sha256:${each.ImageID}`,
            labels: each.Labels ?? {},
            state: stateOf(each.State)
          }
        })
        .filter(
          ({ owner }) => owner.application === application && owner.deployment === (deployment ?? owner.deployment)
        )
        .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    )
  )
}

const wait = Effect.fnUntraced(function* (api: Api, ref: ContainerRef) {
  const { id } = yield* findOwned(api, ref)
  const answer = yield* api.ask({ method: "POST", path: `/containers/${id}/wait`, seconds: null })
  if (answer.status === 404) return yield* new ContainerNotFound({ name: ref.name })
  return (yield* readWaited(answer)).StatusCode
})

/**
 * Runs the health check of a container on Podman, through Podman's own API. Podman schedules health checks only with
 * systemd, which many machines lack; Docker schedules them itself.
 */
const probeHealth = Effect.fnUntraced(function* (api: Api, ref: ContainerRef) {
  const { id, state } = yield* findOwned(api, ref)
  if (api.product !== "podman" || state !== "running") return
  const answer = yield* api.ask({ method: "GET", path: `/libpod/containers/${id}/healthcheck` })
  if (answer.status === 404) return yield* new ContainerNotFound({ name: ref.name })
  // A container without a check, or that has just exited, can't be checked.
  if (answer.status >= 500) return yield* refusal(answer)
})

/** Returns the container operations of an engine, except those on programs that run in containers. */
export const containersOf = (
  api: Api,
  resources: Pick<Engine, "ensureVolume" | "inspectNetwork">
): Pick<
  Engine,
  | "addresses"
  | "create"
  | "inspect"
  | "kill"
  | "list"
  | "probeHealth"
  | "remove"
  | "start"
  | "stop"
  | "unhealthy"
  | "wait"
> => ({
  probeHealth: (ref) => probeHealth(api, ref),
  create: (spec) => create(api, spec, resources),
  start: (ref) => start(api, ref),
  stop: (ref) => stop(api, ref),
  kill: (ref) => kill(api, ref),
  remove: (ref) => remove(api, ref),
  inspect: (ref) => findOwned(api, ref),
  list: (filter) => list(api, filter),
  addresses: running(api),
  unhealthy: running(api, { health: ["unhealthy"] }),
  wait: (ref) => wait(api, ref)
})
