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
  /** What it writes when it starts. */
  readonly lines?: ReadonlyArray<Omit<LogLine, "at">>
  /** The code that it ends with by itself; without one it runs until it is stopped. */
  readonly exitCode?: number
  /** The seconds after which it ends by itself. */
  readonly after?: number
  /** The seconds after which the engine's health check passes; 0 by default. */
  readonly healthyAfter?: number
  /** Whether the engine looks at its health only when it is asked to. */
  readonly isLookedAtWhenAsked?: boolean
  /** What its health check prints when it fails; without it the check passes. */
  readonly unhealthy?: string
  /** Whether it ends for lack of memory. */
  readonly outOfMemory?: boolean
  /** Whether it goes on when it is asked to stop, until it is killed. */
  readonly stubborn?: boolean
}

/** What containers of a simulated image do. */
export interface ImageBehaviour {
  /** Returns the program of a started container. */
  readonly program?: (spec: ContainerSpec) => Program
  /** Returns the result of a command in a running container. */
  readonly command?: (command: Command, spec: ContainerSpec) => CommandResult
  /** The ports that the image says it listens on. */
  readonly ports?: ReadonlyArray<number>
  /** The credentials that its registry requires. */
  readonly wants?: RegistryCredentials
}

/** What becomes of a simulated build. */
export interface BuildScript {
  readonly lines?: ReadonlyArray<string>
  /** Why it fails, after its lines. */
  readonly fails?: string
  /** Whether it goes on for ever, after its lines. */
  readonly hangs?: boolean
  readonly image?: ImageBehaviour
  /** How many images without a name it leaves. */
  readonly stages?: number
}

/** Says what becomes of a build, from its options and the archive it was sent. */
export type BuildScripts = (options: BuildOptions, context: Uint8Array) => BuildScript

const line = (text: string, stream: LogLine["stream"] = "stdout") => ({ stream, text })

/** Returns a program that runs until it is stopped, after it wrote these lines. */
export const runs = (...lines: ReadonlyArray<string>): Program => ({ lines: lines.map((text) => line(text)) })

/** Returns a program that ends by itself, after it wrote these lines to its standard error. */
export const ends = (exitCode: number, ...lines: ReadonlyArray<string>): Program => ({
  lines: lines.map((text) => line(text, "stderr")),
  exitCode
})
