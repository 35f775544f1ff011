import type { Release } from "../../apps/releases/Release.ts"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"
import type { DeploymentUuid } from "../../base/ids/DeploymentUuid.ts"
import type { ReleasedCompose } from "../../containers/compose/ReleasedCompose.ts"
import type { Network } from "../../containers/engine/ContainerEngine.ts"
import type { ContainerFile, ContainerSpec, Mount, Pairs } from "../../containers/engine/ContainerSpec.ts"
import type { HostAccess } from "../../containers/engine/options.ts"
import type { HealthCheck } from "../../containers/proxy/HealthCheck.ts"

/** A user's command that runs in a container before or after a deployment replaces the previous containers. */
export interface PlannedCommand {
  readonly argv: ReadonlyArray<string>
  /** The name of the compose service or container to run in; empty is the container that receives requests. */
  readonly container: string
}

/** A start condition: the state that another container must reach before a container starts. */
export interface Condition {
  readonly container: string
  readonly state: "started" | "healthy" | "completed"
}

/** One container that a deployment creates. */
export interface PlannedContainer {
  readonly spec: ContainerSpec
  /** The container port to which the proxy sends requests; null if the proxy sends none. */
  readonly port: number | null
  /** Whether the previous container must stop before, because both would use the same server port or volume. */
  readonly takesTurns: boolean
  readonly after: ReadonlyArray<Condition>
}

/** The complete plan of a deployment: the containers, networks, checks and commands, before anything is executed. */
export interface Plan {
  readonly application: ApplicationUuid
  readonly deployment: DeploymentUuid
  /** The networks that must exist before the containers are created. */
  readonly networks: ReadonlyArray<Network>
  /** The name of the network in which the proxy reaches the containers. */
  readonly network: string
  /** The containers in start order. */
  readonly containers: ReadonlyArray<PlannedContainer>
  /** The name of the container that receives requests to the application's own domain. */
  readonly main: string
  readonly check: HealthCheck | null
  /** The seconds that containers without a health check must run before they count as healthy. */
  readonly startPeriod: number
  /** The seconds that the previous containers have to finish open requests after the switch; null is the default. */
  readonly drain: number | null
  /** The command in the previous containers before new ones start; `after` runs in the new ones after the switch. */
  readonly before: PlannedCommand | null
  readonly after: PlannedCommand | null
}

/** A volume mount of an application, in the containers of one compose service if it has several. */
export interface PlannedMount extends Mount {
  /** The name of the compose service; null or omitted for an application with one container. */
  readonly service?: string | null
}

/** A file of an application, which is written into the containers of one compose service if it has several. */
export interface PlannedFile extends ContainerFile {
  /** The name of the compose service; null for an application with one container. */
  readonly service: string | null
}

/** The input from which the plan of a deployment is computed. */
export interface Planned {
  readonly deployment: DeploymentUuid
  readonly release: Release
  readonly network: string
  readonly variables: Pairs
  readonly allowed: HostAccess
  /** The current storages (volumes) of the application, which are not a part of releases. */
  readonly storages: ReadonlyArray<PlannedMount>
  /** The current files of the application, which are not a part of releases; none if omitted. */
  readonly files?: ReadonlyArray<PlannedFile>
  /** The evaluated compose files of the release; null if the application has no compose files. */
  readonly compose: ReleasedCompose | null
  /** The names of compose services that a user stopped, which get no containers; none if omitted. */
  readonly stopped?: ReadonlySet<string>
}
