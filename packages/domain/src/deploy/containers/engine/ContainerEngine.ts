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
import type { Terminal, TerminalSize } from "./Terminal.ts"
import type { ContainerUse, DiskSpace, DiskUse, HostUse } from "./usage.ts"

/** The properties that a container engine (Docker or Podman) reports about itself and its server. */
export interface EngineInfo {
  readonly product: "docker" | "podman"
  readonly version: string
  /** The version of the Docker Engine API that the engine supports. */
  readonly apiVersion: string
  readonly operatingSystem: string
  readonly architecture: string
  readonly cpus: number
  /** The memory of the server in bytes. */
  readonly memory: number
}

/** The user name and the password, or access token, for a container registry. */
export interface RegistryCredentials {
  /**
   * The host of the registry, such as `registry.example:5000`, or a namespace in it, such as `registry.example/team`.
   */
  readonly registry: string
  readonly username: string
  readonly password: Redacted.Redacted
}

/** An image that a container engine stores. */
export interface Image {
  /**
   * The image id `sha256:…`: the digest of the image configuration. Containers that refer to the id are independent of
   * changes to tags.
   */
  readonly id: string
  readonly tags: ReadonlyArray<string>
  /** The size of the image in bytes. */
  readonly size: number
  /** The ports that the image exposes. */
  readonly ports: ReadonlyArray<number>
}

/** An element of the stream of a pull or a build: log lines as they arrive, and the resulting image at the end. */
export type Progress =
  | { readonly _tag: "Line"; readonly text: string }
  | { readonly _tag: "Image"; readonly image: Image }

/** The progress of a push: log lines as they arrive, then the digest of the image in the registry. */
export type PushProgress =
  | { readonly _tag: "Line"; readonly text: string }
  | { readonly _tag: "Pushed"; readonly digest: string }

/** The options of an image build from a build context (a tar archive of files). */
export interface BuildOptions {
  readonly owner: Owner
  /** The path of the Dockerfile, relative to the build context. */
  readonly dockerfile: string
  readonly arguments: Pairs
  readonly labels: ReadonlyArray<readonly [name: string, value: string]>
  /** The build stage to stop at; null builds the last stage of the Dockerfile. */
  readonly target: string | null
  /** Whether the build cache is disabled. */
  readonly fresh: boolean
  /** The credentials for the registries of the base images; each registry receives only its own credentials. */
  readonly credentials: ReadonlyArray<RegistryCredentials>
}

/** The state of a container. */
export type ContainerState = "created" | "running" | "paused" | "restarting" | "exited" | "dead" | "removing"

/** A container in an engine. */
export interface Container {
  readonly id: string
  readonly name: string
  readonly owner: Owner
  /** The id of the container's image. */
  readonly image: string
  readonly labels: Readonly<Record<string, string>>
  readonly state: ContainerState
}

/** The maximum length of a health check's output, in characters. */
export const longestHealthOutput = 500

/** A container with the details that lists of containers omit. */
export interface ContainerDetails extends Container {
  /** The exit code of the main process; null before the first exit, and while the container runs again. */
  readonly exitCode: number | null
  /** Whether the kernel killed the container because it used too much memory. */
  readonly outOfMemory: boolean
  readonly restarts: number
  /** The seconds between the stop signal and the kill. */
  readonly stopTimeout: number
  /** The time of the last start in ISO 8601; null before it. `finishedAt` is the time of the last exit. */
  readonly startedAt: string | null
  readonly finishedAt: string | null
  /** The health status that the engine reports; null if the engine runs no health check for the container. */
  readonly health: "starting" | "healthy" | "unhealthy" | null
  /** The output of the last health check, at most {@link longestHealthOutput} characters; null when it was empty. */
  readonly healthOutput: string | null
  /** The interval of the container's health check in seconds; null if it has no health check. */
  readonly healthInterval: number | null
  /** The mounts: the keys are paths in the container, the values are volume names or paths of the server. */
  readonly mounts: Readonly<Record<string, string>>
  /** The IP addresses of the container, by network name; empty while it does not run. */
  readonly addresses: Readonly<Record<string, string>>
}

/** The reference to one container: its application and its name. */
export interface ContainerRef {
  readonly application: ApplicationUuid
  readonly name: string
}

/** Selects the resources of an application; with `deployment`, only those of this deployment. */
export interface OwnerFilter {
  readonly application: ApplicationUuid
  readonly deployment?: DeploymentUuid
}

/** One log line of a container. */
export interface LogLine {
  /** The time of the line, in ISO 8601 with nanoseconds. */
  readonly at: string
  readonly stream: "stdout" | "stderr"
  readonly text: string
}

/** The filter for log lines of a container. */
export interface LogsQuery {
  /** The start time in ISO 8601 with nanoseconds; earlier lines are omitted. */
  readonly since?: string
  /** The number of newest lines to return; all lines if omitted. */
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

/** The exit code and the output of a command that ran in a container. */
export interface CommandResult {
  readonly exitCode: number
  /** The last lines of the output and the error output, at most 1,000 in total. */
  readonly output: ReadonlyArray<Omit<LogLine, "at">>
}

/** A file to write into a container. */
export interface WrittenFile {
  /** The absolute path of the file in the container; the directory must exist. */
  readonly path: string
  /** The size of the file in bytes. */
  readonly size: number
}

/** An intermediate image of a build, such as that of an earlier stage. It has no tag, and no image is based on it. */
export interface StageImage {
  readonly id: string
  readonly application: ApplicationUuid
  readonly deployment: DeploymentUuid
}

/** A network of a server. */
export interface Network {
  readonly name: string
  /** The application that owns the network; null if several applications share it. */
  readonly application: ApplicationUuid | null
}

/** A volume of an application. */
export interface Volume {
  readonly name: string
  readonly application: ApplicationUuid
}

/** The container engine of one server. Operations with an application affect only resources of this application. */
export interface Engine {
  readonly info: Effect.Effect<EngineInfo, EngineFailure>
  /** Provides the path of a local unix socket for the engine's API to other programs, until the scope closes. */
  readonly socket: Effect.Effect<string, EngineFailure, Scope.Scope>

  /** Pulls an image by its reference, `[registry/]path[:tag][@digest]`. */
  readonly pull: (
    reference: string,
    credentials?: RegistryCredentials
  ) => Stream.Stream<Progress, EngineFailure | ImageNotFound>
  /**
   * Pushes an image of the engine to a registry under a reference, `[registry/]path[:tag]`. The engine does not keep the
   * image under this reference. The digest names exactly this image, which another push of the tag does not change.
   */
  readonly push: (
    image: string,
    reference: string,
    credentials?: RegistryCredentials
  ) => Stream.Stream<PushProgress, EngineFailure | ImageNotFound>
  /** Builds and tags the image of a deployment from a tar archive. Interrupting the stream stops the build. */
  readonly build: <E, R>(
    context: Stream.Stream<Uint8Array, E, R>,
    options: BuildOptions
  ) => Stream.Stream<Progress, EngineFailure | BuildFailed | E, R>
  /** Adds the tag of a deployment, or of one of its compose services, to an existing image. */
  readonly tagImage: (image: string, owner: Owner) => Effect.Effect<void, EngineFailure | ImageNotFound>
  readonly inspectImage: (reference: string) => Effect.Effect<Image, EngineFailure | ImageNotFound>
  /** Lists the images of deployments of an application; null lists those of all applications. */
  readonly listImages: (application: ApplicationUuid | null) => Effect.Effect<ReadonlyArray<Image>, EngineFailure>
  /**
   * Removes the tag of the image of a deployment, or of one of its services; the image itself stays if it has other
   * tags. Returns whether the tag existed.
   */
  readonly removeImage: (owner: Owner) => Effect.Effect<boolean, EngineFailure | ResourceInUse>

  /** Lists the leftover intermediate images of builds of all applications, if their labels contain the owner. */
  readonly listStages: Effect.Effect<ReadonlyArray<StageImage>, EngineFailure>
  /** Removes an intermediate image and its unused base images; false if it does not exist or is in use. */
  readonly removeStage: (stage: StageImage) => Effect.Effect<boolean, EngineFailure>
  /**
   * Removes unused images without a tag and unused build caches that are older than a day; returns the freed bytes.
   *
   * This affects the entire server. Intermediate images of application builds are kept.
   */
  readonly freeUnused: Effect.Effect<number, EngineFailure>
  readonly diskUse: Effect.Effect<DiskUse, EngineFailure>
  /**
   * Returns the usage of the disk that stores the engine's data; null if this type of connection to the server cannot
   * determine it.
   */
  readonly diskSpace: Effect.Effect<DiskSpace | null, EngineFailure>
  /** Returns the current CPU, memory and network use of the server; null if this type of connection cannot get it. */
  readonly hostUse: Effect.Effect<HostUse | null, EngineFailure>
  /** Returns the current CPU, memory and network use of all running containers of applications. */
  readonly containerUse: Effect.Effect<ReadonlyArray<ContainerUse>, EngineFailure>

  /** Creates a network unless it exists. Null as the application creates a network that applications share. */
  readonly ensureNetwork: (
    name: string,
    application: ApplicationUuid | null
  ) => Effect.Effect<void, EngineFailure | NameTaken>
  readonly inspectNetwork: (name: string) => Effect.Effect<Network, EngineFailure | NetworkNotFound>
  /** Lists the networks of an application; null lists the networks of all applications. */
  readonly listNetworks: (application: ApplicationUuid | null) => Effect.Effect<ReadonlyArray<Network>, EngineFailure>
  /** Removes a network of an application; returns whether it existed. */
  readonly removeNetwork: (
    application: ApplicationUuid,
    name: string
  ) => Effect.Effect<boolean, EngineFailure | ResourceInUse>

  /** Creates a volume of an application unless it exists. */
  readonly ensureVolume: (application: ApplicationUuid, name: string) => Effect.Effect<void, EngineFailure | NameTaken>
  readonly listVolumes: (application: ApplicationUuid) => Effect.Effect<ReadonlyArray<Volume>, EngineFailure>
  /** Removes a volume of an application with its data; returns whether it existed. */
  readonly removeVolume: (
    application: ApplicationUuid,
    name: string
  ) => Effect.Effect<boolean, EngineFailure | ResourceInUse>

  /** Creates a container without starting it. Idempotent: returns the existing container of the same deployment. */
  readonly create: (
    spec: ContainerSpec
  ) => Effect.Effect<Container, EngineFailure | ImageNotFound | NetworkNotFound | NameTaken>
  /** Starts a container unless it runs. */
  readonly start: (ref: ContainerRef) => Effect.Effect<void, EngineFailure | ContainerNotFound | PortTaken>
  /** Stops a container, and kills it after its stop timeout; does nothing if it is not running. */
  readonly stop: (ref: ContainerRef) => Effect.Effect<void, EngineFailure | ContainerNotFound>
  /** Kills a container immediately; does nothing if it is not running. */
  readonly kill: (ref: ContainerRef) => Effect.Effect<void, EngineFailure | ContainerNotFound>
  /** Removes a container, running or stopped, but not its named volumes; returns whether it existed. */
  readonly remove: (ref: ContainerRef) => Effect.Effect<boolean, EngineFailure>
  readonly inspect: (ref: ContainerRef) => Effect.Effect<ContainerDetails, EngineFailure | ContainerNotFound>
  /** Runs a container's health check once, for engines that do not schedule health checks. */
  readonly probeHealth: (ref: ContainerRef) => Effect.Effect<void, EngineFailure | ContainerNotFound>
  /** Lists the running and stopped containers of an application, or of one of its deployments, sorted by name. */
  readonly list: (filter: OwnerFilter) => Effect.Effect<ReadonlyArray<Container>, EngineFailure>
  /** Returns the IP addresses of all running containers of all applications, with one request to the engine. */
  readonly addresses: Effect.Effect<
    ReadonlyArray<Pick<ContainerDetails, "name" | "owner" | "addresses">>,
    EngineFailure
  >
  /** Lists the running containers of applications with a failing health check, in one request. */
  readonly unhealthy: Effect.Effect<ReadonlyArray<Pick<Container, "name" | "owner">>, EngineFailure>
  /** Waits until a container exits, and returns its exit code. */
  readonly wait: (ref: ContainerRef) => Effect.Effect<number, EngineFailure | ContainerNotFound>
  /** Runs a command in a running container and waits for its exit. An interruption does not stop the command. */
  readonly exec: (
    ref: ContainerRef,
    command: Command
  ) => Effect.Effect<CommandResult, EngineFailure | ContainerNotFound | ContainerNotRunning>
  /**
   * Runs a command with a terminal in a running container. When the scope closes or the platform crashes, the command is
   * killed with all programs that it started, except those that removed its variables.
   */
  readonly terminal: (
    ref: ContainerRef,
    command: Command,
    size: TerminalSize
  ) => Effect.Effect<Terminal, EngineFailure | ContainerNotFound | ContainerNotRunning, Scope.Scope>
  /** Streams the output of a command in a running container as bytes; fails if the exit code is not 0. */
  readonly execOutput: (
    ref: ContainerRef,
    command: Command
  ) => Stream.Stream<Uint8Array, EngineFailure | CommandFailed | ContainerNotFound | ContainerNotRunning>
  /**
   * Streams a file or directory of a running or stopped container as a tar archive, including volumes. The names of its
   * entries begin with the last part of `path`.
   */
  readonly archive: (ref: ContainerRef, path: string) => Stream.Stream<Uint8Array, EngineFailure | ContainerNotFound>
  /**
   * Unpacks a tar archive into a directory of a running or stopped container, such as the target of a volume, with the
   * owners and permissions of its entries. After a failure, some entries may exist.
   */
  readonly unpack: <E, R>(
    ref: ContainerRef,
    directory: string,
    archive: Stream.Stream<Uint8Array, E, R>
  ) => Effect.Effect<void, EngineFailure | ContainerNotFound | E, R>
  /**
   * Writes a file of a known size into an existing directory of a container. The container must run, or must never have
   * been started. After a failure, an incomplete file may exist.
   */
  readonly writeFile: <E, R>(
    ref: ContainerRef,
    file: WrittenFile,
    bytes: Stream.Stream<Uint8Array, E, R>
  ) => Effect.Effect<void, EngineFailure | ContainerNotFound | ContainerNotRunning | FileSizeDiffers | E, R>
  /** Streams the log lines of a container, oldest first; a line longer than 16 KiB is split into several lines. */
  readonly logs: (ref: ContainerRef, query?: LogsQuery) => Stream.Stream<LogLine, EngineFailure | ContainerNotFound>
}

/**
 * Connects to the container engines (Docker or Podman) of servers.
 *
 * Must:
 * - report the product and version of the engine
 * - report a missing engine
 * - pull an image from its registry, and report a failure
 * - push an image to a registry with its credentials, and report a failure
 * - return the digest of a pushed image, which pulls it after another push of its tag
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
 * - list the running containers with a failing health check
 * - hide the resources of other applications (invariant I22)
 * - pass variables, arguments and labels unchanged (invariant I23)
 * - run a program in a running container
 * - run an interactive program in a terminal of a given size, until it exits
 * - kill an interactive program and the programs that it started when its scope closes
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
    /** Connects to the engine of a server. Scopes share the connection, which closes after the last of them. */
    readonly open: (access: ServerAccess) => Effect.Effect<Engine, EngineUnreachable | HostKeyChanged, Scope.Scope>
  }
>()("@slipway/domain/deploy/ContainerEngine") {}
