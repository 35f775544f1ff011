import type { Release } from "../../apps/releases/Release.ts"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"
import type { DeploymentUuid } from "../../base/ids/DeploymentUuid.ts"
import type { ReleasedCompose } from "../../containers/compose/ReleasedCompose.ts"
import type { Network } from "../../containers/engine/ContainerEngine.ts"
import type { ContainerFile, ContainerSpec, Mount, Pairs } from "../../containers/engine/ContainerSpec.ts"
import type { HostAccess } from "../../containers/engine/options.ts"
import type { HealthCheck } from "../../containers/proxy/HealthCheck.ts"

/** A command that runs in a container before or after a switch. */
export interface PlannedCommand {
  readonly argv: ReadonlyArray<string>
  /** The service or container name; empty is the serving container. */
  readonly container: string
}

/** A start condition of a container: another container, and the state that it must reach first. */
export interface Condition {
  readonly container: string
  readonly state: "started" | "healthy" | "completed"
}

/** One container of a deployment. */
export interface PlannedContainer {
  readonly spec: ContainerSpec
  /** The routed port; null if there is none. */
  readonly port: number | null
  /** Whether the previous container must stop first, because both use the same server port or write to one volume. */
  readonly takesTurns: boolean
  readonly after: ReadonlyArray<Condition>
}

/** The complete plan of a deployment, before its execution. */
export interface Plan {
  readonly application: ApplicationUuid
  readonly deployment: DeploymentUuid
  /** The required networks. */
  readonly networks: ReadonlyArray<Network>
  /** The network by which the proxy reaches containers. */
  readonly network: string
  /** The containers in start order. */
  readonly containers: ReadonlyArray<PlannedContainer>
  /** The name of the container for requests that no other service's domain matches. */
  readonly main: string
  readonly check: HealthCheck | null
  /** The seconds that containers without a health check must run before they count as healthy. */
  readonly startPeriod: number
  /** The drain time in seconds for requests in flight after a switch; null uses the default. */
  readonly drain: number | null
  /** Commands that run in the serving containers before the new ones start, and in the new ones after the switch. */
  readonly before: PlannedCommand | null
  readonly after: PlannedCommand | null
}

/** A mount in the containers of a compose service, or of an application of one container. */
export interface PlannedMount extends Mount {
  /** The name of the compose service; null or omitted for an application of one container. */
  readonly service?: string | null
}

/** A file in the containers of a compose service, or of an application of one container. */
export interface PlannedFile extends ContainerFile {
  /** The name of the compose service; null for an application of one container. */
  readonly service: string | null
}

/** The input of a plan. */
export interface Planned {
  readonly deployment: DeploymentUuid
  readonly release: Release
  readonly network: string
  readonly variables: Pairs
  readonly allowed: HostAccess
  /** The current storages of the application: they outlive releases. */
  readonly storages: ReadonlyArray<PlannedMount>
  /** The current files of the application, which also outlive releases; none by default. */
  readonly files?: ReadonlyArray<PlannedFile>
  /** Its evaluated compose files; null without such files. */
  readonly compose: ReleasedCompose | null
  /** The compose services that a user stopped: they have no containers; none by default. */
  readonly stopped?: ReadonlySet<string>
}
