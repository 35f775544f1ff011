import type {
  BuildOptions,
  Command,
  CommandResult,
  ContainerHealthCheck,
  ContainerSpec,
  LogLine,
  RegistryCredentials
} from "@slipway/domain/deploy/containers"

/** The simulated behaviour of the main process of a container. */
export interface Program {
  /** The output of the program at its start. */
  readonly lines?: ReadonlyArray<Omit<LogLine, "at">>
  /** The exit code of the process. If omitted, the process runs until it is stopped. */
  readonly exitCode?: number
  /** The seconds after which the program exits. */
  readonly after?: number
  /** The seconds until the engine's health check passes. Default: 0. */
  readonly healthyAfter?: number
  /** Whether the engine runs the health check only on request, not on a schedule. */
  readonly isLookedAtWhenAsked?: boolean
  /** The output of a failing health check. If omitted, the health check passes. */
  readonly unhealthy?: string
  /** Whether the engine kills the process because it is out of memory. */
  readonly outOfMemory?: boolean
  /** Whether the process ignores the stop signal, so that the engine kills it after the timeout. */
  readonly stubborn?: boolean
}

/** The simulated behaviour of the containers of an image. */
export interface ImageBehaviour {
  /** Returns the program of a started container. */
  readonly program?: (spec: ContainerSpec) => Program
  /** Returns the result of a command in a running container. */
  readonly command?: (command: Command, spec: ContainerSpec) => CommandResult
  /** Receives each file that is written into a container. */
  readonly file?: (path: string, bytes: Uint8Array, spec: ContainerSpec) => void
  /** Returns the tar archive of a path in a container; undefined if the path is missing. */
  readonly archive?: (path: string, spec: ContainerSpec) => Uint8Array | undefined
  /** Receives each tar archive that is unpacked in a container, with its directory. */
  readonly unpack?: (directory: string, bytes: Uint8Array, spec: ContainerSpec) => void
  /** The ports that the image exposes. */
  readonly ports?: ReadonlyArray<number>
  /** The health check of the image. */
  readonly healthCheck?: ContainerHealthCheck
  /** The credentials that a pull of this image requires. */
  readonly wants?: RegistryCredentials
}

/** The result of a simulated build. */
export interface BuildScript {
  readonly lines?: ReadonlyArray<string>
  /** The error message of a failing build, which follows the output lines. */
  readonly fails?: string
  /** Whether the build hangs after its lines. */
  readonly hangs?: boolean
  readonly image?: ImageBehaviour
  /** The number of dangling images that the build leaves. */
  readonly stages?: number
}

/** Returns the result of a simulated build, from the options of the build and the tar archive of its context. */
export type BuildScripts = (options: BuildOptions, context: Uint8Array) => BuildScript

const line = (text: string, stream: LogLine["stream"] = "stdout") => ({ stream, text })

/** Returns the behaviour of a process that prints these lines and runs until it is stopped. */
export const runs = (...lines: ReadonlyArray<string>): Program => ({ lines: lines.map((text) => line(text)) })

/** Returns the behaviour of a process that prints these lines to standard error and exits. */
export const ends = (exitCode: number, ...lines: ReadonlyArray<string>): Program => ({
  lines: lines.map((text) => line(text, "stderr")),
  exitCode
})
