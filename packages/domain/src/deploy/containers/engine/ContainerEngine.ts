import { Context, type Effect, type Redacted, type Scope, type Stream } from "effect"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"

import type { DeploymentUuid } from "../../base/ids/DeploymentUuid.ts"
import type { ContainerSpec, Owner, Pairs } from "./ContainerSpec.ts"
import type {
  BuildFailed,
  CommandFailed,
  ContainerNotFound,
  ContainerNotRunning,
  EngineFailure,
  EngineUnreachable,
  FileSizeDiffers,
  HostKeyChanged,
  ImageNotFound,
  NameTaken,
  NetworkNotFound,
  PortTaken,
  ResourceInUse
} from "./EngineError.ts"
import type { ServerAccess } from "./ServerAccess.ts"
import type { ContainerUse, HostUse } from "./usage.ts"

/** The properties that an engine reports about itself. */
export interface EngineInfo {
  readonly product: "docker" | "podman"
  readonly version: string
  /** Its version of the Docker Engine API. */
  readonly apiVersion: string
  readonly operatingSystem: string
  readonly architecture: string
  readonly cpus: number
  /** Bytes. */
  readonly memory: number
}

/** The user's name and password, or token, at a registry. */
export interface RegistryCredentials {
  /**
   * The host of the registry, such as `registry.example:5000`, or a namespace in it, such as `registry.example/team`.
   */
  readonly registry: string
  readonly username: string
  readonly password: Redacted.Redacted
}

/** An image in an engine. */
export interface Image {
  /**
   * The digest of its configuration, `sha256:…`; a container can run the image by this digest, independent of its tags.
   */
  readonly id: string
  /** Its digest at a registry, `sha256:…`; null if the engine has none. */
  readonly digest: string | null
  readonly tags: ReadonlyArray<string>
  /** Bytes. */
  readonly size: number
  /** The exposed ports. */
  readonly ports: ReadonlyArray<number>
}

/** The progress of a pull or a build: log lines as they arrive, then the image. */
export type Progress =
  | { readonly _tag: "Line"; readonly text: string }
  | { readonly _tag: "Image"; readonly image: Image }

/** The options of an image build from a context. */
export interface BuildOptions {
  readonly owner: Owner
  /** The path of the Dockerfile in the context. */
  readonly dockerfile: string
  readonly arguments: Pairs
  readonly labels: ReadonlyArray<readonly [name: string, value: string]>
  /** The target stage; null is the last one. */
  readonly target: string | null
  /** Whether the build cache is disabled. */
  readonly fresh: boolean
  /** The credentials for the registries of its base images; each registry receives only its own. */
  readonly credentials: ReadonlyArray<RegistryCredentials>
}

/** The state of a container. */
export type ContainerState = "created" | "running" | "paused" | "restarting" | "exited" | "dead" | "removing"

/** A container in an engine. */
export interface Container {
  readonly id: string
  readonly name: string
  readonly owner: Owner
  /** The id of its image. */
  readonly image: string
  readonly labels: Readonly<Record<string, string>>
  readonly state: ContainerState
}

/** The maximum length of a health check's output, in characters. */
export const longestHealthOutput = 500

/** The details of a container, which lists do not include. */
export interface ContainerDetails extends Container {
  /** The exit code of its main process; null before the first exit, and while it runs again. */
  readonly exitCode: number | null
  /** Whether it was killed because of missing memory. */
  readonly outOfMemory: boolean
  readonly restarts: number
  /** The seconds between the stop signal and the kill. */
  readonly stopTimeout: number
  /** Times in ISO 8601; null when not yet reached. */
  readonly startedAt: string | null
  readonly finishedAt: string | null
  /** The health status that the engine reports; null when it runs no health check. */
  readonly health: "starting" | "healthy" | "unhealthy" | null
  /** The output of the last health check, at most {@link longestHealthOutput} characters; null when it was empty. */
  readonly healthOutput: string | null
  /** The interval of its health check in seconds; null when it has none. */
  readonly healthInterval: number | null
  /** The mounted volumes by name and directories of the server by path, each by its path in the container. */
  readonly mounts: Readonly<Record<string, string>>
  /** Its addresses by network, while it runs. */
  readonly addresses: Readonly<Record<string, string>>
}

/** One container of an application, by its name. */
export interface ContainerRef {
  readonly application: ApplicationUuid
  readonly name: string
}

/** The filter by owner: all resources of an application, or those of one deployment. */
export interface OwnerFilter {
  readonly application: ApplicationUuid
  readonly deployment?: DeploymentUuid
}

/** One log line of a container. */
export interface LogLine {
  /** When it was written, in ISO 8601 with nanoseconds. */
  readonly at: string
  readonly stream: "stdout" | "stderr"
  readonly text: string
}

/** The filter for log lines of a container. */
export interface LogsQuery {
  /** A time in ISO 8601 with nanoseconds; earlier lines are omitted. */
  readonly since?: string
  /** The maximum number of lines, counted from the end; all if omitted. */
  readonly tail?: number
  /** Whether to follow the log until the container exits. */
  readonly follow?: boolean
}

/** A command to execute in a running container, without a shell. */
export interface Command {
  readonly argv: ReadonlyArray<string>
  readonly environment?: Pairs
  readonly workdir?: string
  readonly user?: string
}

/** The result of a program in a container. */
export interface CommandResult {
  readonly exitCode: number
  /** Its last lines, at most 1,000, of both streams. */
  readonly output: ReadonlyArray<Omit<LogLine, "at">>
}

/** A file to write into a container. */
export interface WrittenFile {
  /** An absolute path, in an existing directory. */
  readonly path: string
  /** Bytes. */
  readonly size: number
}

/** An unnamed intermediate image of a build, such as that of an earlier stage, without dependent images. */
export interface StageImage {
  readonly id: string
  readonly application: ApplicationUuid
  readonly deployment: DeploymentUuid
}

/** The disk usage of an engine, in bytes. */
export interface DiskUse {
  readonly images: number
  /** The size of the writable layers of containers, without images and volumes. */
  readonly containers: number
  readonly volumes: number
  readonly buildCache: number
}

/** The usage of the disk with the engine's data, in bytes. */
export interface DiskSpace {
  readonly used: number
  /** The space that programs may still use, without the part reserved for the system. */
  readonly free: number
}

/** A network of a server. */
export interface Network {
  readonly name: string
  /** Its application; null if applications share it. */
  readonly application: ApplicationUuid | null
}

/** A volume of an application. */
export interface Volume {
  readonly name: string
  readonly application: ApplicationUuid
}

/** The engine of one server. An operation affects only resources of the given application, and no others. */
export interface Engine {
  readonly info: Effect.Effect<EngineInfo, EngineFailure>
  /** Provides a local unix socket to the engine, for programs that speak its API, until the scope ends. */
  readonly socket: Effect.Effect<string, EngineFailure, Scope.Scope>

  /** Pulls an image by its reference, `[registry/]path[:tag][@digest]`. */
  readonly pull: (
    reference: string,
    credentials?: RegistryCredentials
  ) => Stream.Stream<Progress, EngineFailure | ImageNotFound>
  /**
   * Pushes an image of the engine to a registry under a reference, `[registry/]path[:tag]`. The engine does not keep the
   * image under this reference. Emits log lines.
   */
  readonly push: (
    image: string,
    reference: string,
    credentials?: RegistryCredentials
  ) => Stream.Stream<Progress, EngineFailure | ImageNotFound>
  /** Builds the image of a deployment from a tar archive, and tags it; interruption stops the build on the server. */
  readonly build: <E, R>(
    context: Stream.Stream<Uint8Array, E, R>,
    options: BuildOptions
  ) => Stream.Stream<Progress, EngineFailure | BuildFailed | E, R>
  /** Tags an existing image for a deployment, or for one of its services. */
  readonly tagImage: (image: string, owner: Owner) => Effect.Effect<void, EngineFailure | ImageNotFound>
  readonly inspectImage: (reference: string) => Effect.Effect<Image, EngineFailure | ImageNotFound>
  /** Lists the images tagged for deployments of an application, or with null of all applications. */
  readonly listImages: (application: ApplicationUuid | null) => Effect.Effect<ReadonlyArray<Image>, EngineFailure>
  /**
   * Removes the image of a deployment, or of one of its services, but keeps tags added by others; true when it existed.
   */
  readonly removeImage: (owner: Owner) => Effect.Effect<boolean, EngineFailure | ResourceInUse>

  /** Lists the leftover images of build stages of all owners, with the owner as far as the engine knows it. */
  readonly listStages: Effect.Effect<ReadonlyArray<StageImage>, EngineFailure>
  /** Removes a stage image with its unused bases; true if it existed and nothing uses it. */
  readonly removeStage: (stage: StageImage) => Effect.Effect<boolean, EngineFailure>
  /**
   * Removes unused images without a name and unused build caches of all owners that are older than a day.
   *
   * Keeps intermediate images of application builds. Returns the freed bytes.
   */
  readonly freeUnused: Effect.Effect<number, EngineFailure>
  readonly diskUse: Effect.Effect<DiskUse, EngineFailure>
  /**
   * Returns the usage of the disk with the engine's data; null where the connection to the engine cannot determine it.
   */
  readonly diskSpace: Effect.Effect<DiskSpace | null, EngineFailure>
  /** Returns the current use of the machine; null where the connection to the engine cannot determine it. */
  readonly hostUse: Effect.Effect<HostUse | null, EngineFailure>
  /** Returns the current use of all running containers of applications that the engine reports. */
  readonly containerUse: Effect.Effect<ReadonlyArray<ContainerUse>, EngineFailure>

  /** Creates a network unless it exists; a network shared by applications has no application. */
  readonly ensureNetwork: (
    name: string,
    application: ApplicationUuid | null
  ) => Effect.Effect<void, EngineFailure | NameTaken>
  readonly inspectNetwork: (name: string) => Effect.Effect<Network, EngineFailure | NetworkNotFound>
  /** Lists the networks of an application, or with null those of all applications. */
  readonly listNetworks: (application: ApplicationUuid | null) => Effect.Effect<ReadonlyArray<Network>, EngineFailure>
  /** Removes a network of an application; true when it existed. */
  readonly removeNetwork: (
    application: ApplicationUuid,
    name: string
  ) => Effect.Effect<boolean, EngineFailure | ResourceInUse>

  /** Creates a volume of an application unless it exists. */
  readonly ensureVolume: (application: ApplicationUuid, name: string) => Effect.Effect<void, EngineFailure | NameTaken>
  readonly listVolumes: (application: ApplicationUuid) => Effect.Effect<ReadonlyArray<Volume>, EngineFailure>
  /** Removes a volume of an application with its data; true when it existed. */
  readonly removeVolume: (
    application: ApplicationUuid,
    name: string
  ) => Effect.Effect<boolean, EngineFailure | ResourceInUse>

  /** Creates a container without starting it, unless the same deployment has it already. */
  readonly create: (
    spec: ContainerSpec
  ) => Effect.Effect<Container, EngineFailure | ImageNotFound | NetworkNotFound | NameTaken>
  /** Starts a container unless it runs. */
  readonly start: (ref: ContainerRef) => Effect.Effect<void, EngineFailure | ContainerNotFound | PortTaken>
  /** Stops a container, and kills it after its stop timeout; does nothing if it is not running. */
  readonly stop: (ref: ContainerRef) => Effect.Effect<void, EngineFailure | ContainerNotFound>
  /** Kills a container immediately; does nothing if it is not running. */
  readonly kill: (ref: ContainerRef) => Effect.Effect<void, EngineFailure | ContainerNotFound>
  /** Removes a container, running or not, without its named volumes; true when it existed. */
  readonly remove: (ref: ContainerRef) => Effect.Effect<boolean, EngineFailure>
  readonly inspect: (ref: ContainerRef) => Effect.Effect<ContainerDetails, EngineFailure | ContainerNotFound>
  /** Runs a container's health check now, for engines that cannot schedule it. */
  readonly probeHealth: (ref: ContainerRef) => Effect.Effect<void, EngineFailure | ContainerNotFound>
  /** Lists the containers of an application or of one of its deployments, running or not, by name. */
  readonly list: (filter: OwnerFilter) => Effect.Effect<ReadonlyArray<Container>, EngineFailure>
  /** Returns the addresses of all running containers of applications in one request. */
  readonly addresses: Effect.Effect<
    ReadonlyArray<Pick<ContainerDetails, "name" | "owner" | "addresses">>,
    EngineFailure
  >
  /** Waits until a container exits, and returns its exit code. */
  readonly wait: (ref: ContainerRef) => Effect.Effect<number, EngineFailure | ContainerNotFound>
  /** Runs a program in a running container; interruption stops waiting but does not end the program. */
  readonly exec: (
    ref: ContainerRef,
    command: Command
  ) => Effect.Effect<CommandResult, EngineFailure | ContainerNotFound | ContainerNotRunning>
  /** Streams the output of a program in a running container as bytes; fails if it exits with another code than 0. */
  readonly execOutput: (
    ref: ContainerRef,
    command: Command
  ) => Stream.Stream<Uint8Array, EngineFailure | CommandFailed | ContainerNotFound | ContainerNotRunning>
  /**
   * Streams a file or directory of a container, also of a stopped one, as a tar archive. Its entries begin with the last
   * part of the path. Volumes are included.
   */
  readonly archive: (ref: ContainerRef, path: string) => Stream.Stream<Uint8Array, EngineFailure | ContainerNotFound>
  /**
   * Writes a file of a known size into an existing directory of a container that runs, or that was never started; a
   * failure may leave a part of it.
   */
  readonly writeFile: <E, R>(
    ref: ContainerRef,
    file: WrittenFile,
    bytes: Stream.Stream<Uint8Array, E, R>
  ) => Effect.Effect<void, EngineFailure | ContainerNotFound | ContainerNotRunning | FileSizeDiffers | E, R>
  /** Streams the logs of a container, oldest first; a line longer than 16 KiB arrives in parts. */
  readonly logs: (ref: ContainerRef, query?: LogsQuery) => Stream.Stream<LogLine, EngineFailure | ContainerNotFound>
}

/**
 * Opens the engines of servers.
 *
 * Must:
 * - report the product and version of the engine
 * - report a missing engine
 * - pull an image from its registry, and report a failure
 * - push an image to a registry with its credentials, and report a failure
 * - build an image from an archive, and stream its log lines, then the image
 * - pull base images with the credentials of their registry, and send them to no other registry
 * - report why a build failed, and keep no image of it
 * - stop a build when its caller is interrupted
 * - keep the images of an application under the tags of its deployments
 * - remove only the build stages of the given application
 * - remove unnamed data that was unused for a day, and nothing of an application
 * - report the disk usage of the engine
 * - report the used and free space of the engine's disk
 * - report the use of the machine and of running containers
 * - create a container once, even if requested repeatedly
 * - create a container with its files, in missing directories too
 * - reject a taken name, a missing image and a missing or forbidden network
 * - stop each container within the grace period that it was created with
 * - start, stop and remove a container, even if requested repeatedly
 * - reject a port that is in use
 * - report the exit status of a container, and whether it was restarted
 * - list the containers of an application, or of one of its deployments
 * - check the health of a container on request
 * - return the addresses of all running containers
 * - hide the resources of other applications (invariant I22)
 * - pass variables, arguments and labels unchanged (invariant I23)
 * - run a program in a running container
 * - stream the output of a program as bytes, and report its failure
 * - write a streamed file into a running or new container, and report bytes of another size
 * - stream a directory of a container as an archive, and report a missing one
 * - return container logs with stream and time, in lines of bounded length (invariant I25)
 * - follow the logs of a container until it exits
 * - create networks and volumes once, and remove unused ones
 */
export class ContainerEngine extends Context.Service<
  ContainerEngine,
  {
    /** Returns the engine of a server; its connection is shared, and stays open as long as any scope uses it. */
    readonly open: (access: ServerAccess) => Effect.Effect<Engine, EngineUnreachable | HostKeyChanged, Scope.Scope>
  }
>()("@slipway/domain/deploy/ContainerEngine") {}
