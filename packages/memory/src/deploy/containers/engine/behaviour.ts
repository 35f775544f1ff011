import type {
  BuildOptions,
  Command,
  CommandResult,
  ContainerSpec,
  LogLine,
  RegistryCredentials
} from "@slipway/domain/deploy/containers"

/** The behaviour of a simulated container's program. */
export interface Program {
  /** The output of the program at its start. */
  readonly lines?: ReadonlyArray<Omit<LogLine, "at">>
  /** The exit code; without one, the program runs until it is stopped. */
  readonly exitCode?: number
  /** The seconds after which the program exits. */
  readonly after?: number
  /** The seconds after which the engine's health check passes; 0 by default. */
  readonly healthyAfter?: number
  /** Whether the engine runs its health check only on request. */
  readonly isLookedAtWhenAsked?: boolean
  /** The output of a failing health check; without it the check passes. */
  readonly unhealthy?: string
  /** Whether the program is killed for lack of memory. */
  readonly outOfMemory?: boolean
  /** Whether the program ignores the stop signal until it is killed. */
  readonly stubborn?: boolean
}

/** The behaviour of containers of a simulated image. */
export interface ImageBehaviour {
  /** Returns the program of a started container. */
  readonly program?: (spec: ContainerSpec) => Program
  /** Returns the result of a command in a running container. */
  readonly command?: (command: Command, spec: ContainerSpec) => CommandResult
  /** Receives each file that is written into a container. */
  readonly file?: (path: string, bytes: Uint8Array, spec: ContainerSpec) => void
  /** Returns the tar archive of a path in a container; undefined if the path is missing. */
  readonly archive?: (path: string, spec: ContainerSpec) => Uint8Array | undefined
  /** The ports that the image exposes. */
  readonly ports?: ReadonlyArray<number>
  /** The credentials that the registry of the image requires. */
  readonly wants?: RegistryCredentials
}

/** The result of a simulated build. */
export interface BuildScript {
  readonly lines?: ReadonlyArray<string>
  /** The reason of a failure of the build, after its lines. */
  readonly fails?: string
  /** Whether the build hangs after its lines. */
  readonly hangs?: boolean
  readonly image?: ImageBehaviour
  /** The number of dangling images that the build leaves. */
  readonly stages?: number
}

/** Returns the result of a build, from its options and its archive. */
export type BuildScripts = (options: BuildOptions, context: Uint8Array) => BuildScript

const line = (text: string, stream: LogLine["stream"] = "stdout") => ({ stream, text })

/** Returns a program that prints these lines and runs until it is stopped. */
export const runs = (...lines: ReadonlyArray<string>): Program => ({ lines: lines.map((text) => line(text)) })

/** Returns a program that prints these lines to its standard error and exits. */
export const ends = (exitCode: number, ...lines: ReadonlyArray<string>): Program => ({
  lines: lines.map((text) => line(text, "stderr")),
  exitCode
})
