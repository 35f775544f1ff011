import { storable } from "@slipway/domain"
import type { ApplicationUuid, DeploymentUuid } from "@slipway/domain/deploy/base"
import {
  type ContainerDetails,
  type ContainerState,
  label,
  longestHealthOutput,
  type Owner,
  usualStopTimeout
} from "@slipway/domain/deploy/containers"
import { Schema } from "effect"
import { answerDecoder } from "./client.ts"

const orNone = <A>(schema: Schema.Codec<A>) => Schema.optionalKey(Schema.NullOr(schema))
const Labels = orNone(Schema.Record(Schema.String, Schema.String))

const Networks = orNone(Schema.Record(Schema.String, Schema.Struct({ IPAddress: orNone(Schema.String) })))

const Shown = Schema.Struct({
  Id: Schema.String,
  Name: Schema.String,
  Image: Schema.String,
  RestartCount: orNone(Schema.Number),
  State: Schema.Struct({
    Status: Schema.String,
    ExitCode: Schema.Number,
    OOMKilled: orNone(Schema.Boolean),
    StartedAt: orNone(Schema.String),
    FinishedAt: orNone(Schema.String),
    Health: orNone(
      Schema.Struct({
        Status: orNone(Schema.String),
        Log: orNone(Schema.Array(Schema.Struct({ Output: orNone(Schema.String) })))
      })
    )
  }),
  Config: Schema.Struct({
    Labels,
    StopTimeout: orNone(Schema.Number),
    Healthcheck: orNone(Schema.Struct({ Interval: orNone(Schema.Number) }))
  }),
  Mounts: orNone(
    Schema.Array(
      Schema.Struct({
        Type: orNone(Schema.String),
        Name: orNone(Schema.String),
        Source: orNone(Schema.String),
        Destination: Schema.String
      })
    )
  ),
  NetworkSettings: Schema.Struct({ Networks })
})
type Shown = (typeof Shown)["Type"]

const Listed = Schema.Struct({
  Id: Schema.String,
  Names: orNone(Schema.Array(Schema.String)),
  ImageID: Schema.String,
  State: Schema.String,
  Labels,
  NetworkSettings: orNone(Schema.Struct({ Networks }))
})

/** A container as engines return it in a list. */
export type Listed = (typeof Listed)["Type"]

/** Decodes the response of a container inspection. */
export const readShown = answerDecoder(Shown)
/** Decodes the response of a request for a list of containers. */
export const readListed = answerDecoder(Schema.Array(Listed))

const states: ReadonlyArray<string> = ["created", "running", "paused", "restarting", "exited", "dead", "removing"]
// Podman has additional intermediate states.
const between: Readonly<Record<string, ContainerState>> = {
  configured: "created",
  initialized: "created",
  stopping: "running",
  stopped: "exited"
}
const ended: ReadonlyArray<ContainerState> = ["restarting", "exited", "dead"]
/** Returns the state of a container from the state name of Docker or Podman. */
export const stateOf = (shown: string): ContainerState =>
  states.includes(shown) ? (shown as ContainerState) : (between[shown] ?? "dead")

type LabelRecord = Readonly<Record<string, string>>

/** Returns the owner of a container (application, deployment and service) from its labels. */
export const ownerOf = (labels: LabelRecord): Owner => ({
  application: (labels[label.application] ?? "") as ApplicationUuid,
  deployment: (labels[label.deployment] ?? "") as DeploymentUuid,
  service: labels[label.service] ?? null
})

const momentOf = (shown: string | null | undefined): string | null =>
  shown == null || shown.startsWith("0001-") || shown === "" ? null : shown

const healthOf = (shown: string | null | undefined): ContainerDetails["health"] =>
  shown === "starting" || shown === "healthy" || shown === "unhealthy" ? shown : null

/** Returns the IP addresses of a container by network name. */
export const addressesIn = (networks: (typeof Networks)["Type"] | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(networks ?? {}).flatMap(([network, { IPAddress }]) =>
      IPAddress == null || IPAddress === "" ? [] : [[network, IPAddress]]
    )
  )

const mountsIn = ({ Mounts }: Shown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (Mounts ?? []).map(({ Destination, Name, Source, Type }) => [
      Destination,
      (Type === "volume" ? Name : undefined) ?? Source ?? ""
    ])
  )

const usualInterval = 30

const intervalOf = ({ Config, State }: Shown): number | null => {
  if (healthOf(State.Health?.Status) === null) return null
  const { Interval } = Config.Healthcheck ?? {}
  return Interval == null || Interval === 0 ? usualInterval : Interval / 1_000_000_000
}

const outputOf = ({ State }: Shown): string | null => {
  const output = storable((State.Health?.Log?.at(-1)?.Output ?? "").slice(0, longestHealthOutput)).trim()
  return output === "" ? null : output
}

/** Returns the details of a container from the response of its inspection. */
export const detailsOf = (shown: Shown): ContainerDetails => {
  const labels = shown.Config.Labels ?? {}
  const state = stateOf(shown.State.Status)
  const finishedAt = momentOf(shown.State.FinishedAt)
  return {
    id: shown.Id,
    name: shown.Name.replace(/^\//, ""),
    owner: ownerOf(labels),
    image: shown.Image.startsWith("sha256:") ? shown.Image : `sha256:${shown.Image}`,
    labels,
    state,
    // Engines report 0 for a program that runs again.
    exitCode: finishedAt !== null && ended.includes(state) ? shown.State.ExitCode : null,
    outOfMemory: shown.State.OOMKilled ?? false,
    restarts: shown.RestartCount ?? 0,
    stopTimeout: shown.Config.StopTimeout ?? usualStopTimeout,
    startedAt: momentOf(shown.State.StartedAt),
    finishedAt,
    health: healthOf(shown.State.Health?.Status),
    healthOutput: outputOf(shown),
    healthInterval: intervalOf(shown),
    mounts: mountsIn(shown),
    addresses: addressesIn(shown.NetworkSettings.Networks)
  }
}
