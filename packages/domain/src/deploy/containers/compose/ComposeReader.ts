import { Context, type Effect, Schema } from "effect"
import type { OutlinedService } from "../../apps/services/ServicePart.ts"
import type { Pairs } from "../engine/ContainerSpec.ts"

/** The compose files to read, and the values of their variables. */
export interface ComposeRequest {
  /** A local directory with the files of the repository, without links that lead outside. */
  readonly directory: string
  /** The folder in it that relative paths start at. */
  readonly folder: string
  /** The compose files, by their paths in the directory; later ones change earlier ones. */
  readonly files: ReadonlyArray<string>
  readonly profiles: ReadonlyArray<string>
  /** The values of the variables in the files; the platform's own environment is not visible. */
  readonly variables: Pairs
}

/** The text of a compose file without a repository, and the values of its variables. */
export interface ComposeTextRequest {
  readonly text: string
  readonly variables: Pairs
}

/** The compose files in the program's normal form. */
export interface ComposeReading {
  /** Plain data; paths in it begin at the root of the machine's file system. */
  readonly config: unknown
  /** The variables that the files refer to and that have no value; the program replaces them with an empty text. */
  readonly unset: ReadonlyArray<string>
}

/** The reading of a compose text. */
export interface ComposeTextReading extends ComposeReading {
  /** The directory that relative paths in the output begin with; it contains no file of the user. */
  readonly directory: string
}

/** Reports that compose files can't be read, and why. */
export class ComposeRefused extends Schema.TaggedError<ComposeRefused>()("ComposeRefused", {
  because: Schema.String
}) {}

/**
 * Reads compose files with the engine's own program.
 *
 * Must:
 * - return the normalized content of the files, with variables filled in
 * - name the variables that are not set
 * - report why files cannot be read
 * - read nothing outside of the directory (invariant I25)
 * - return the normalized content of a text without a repository
 * - list the services of a text in its order, without filling in variables
 * - report why a text cannot be read
 */
export class ComposeReader extends Context.Service<
  ComposeReader,
  {
    /** Parses files into plain data; its paths start at the root of the local file system. */
    readonly read: (request: ComposeRequest) => Effect.Effect<ComposeReading, ComposeRefused>
    /** Parses a text into plain data. */
    readonly readText: (request: ComposeTextRequest) => Effect.Effect<ComposeTextReading, ComposeRefused>
    /** Lists the services of a text. Starts no program. */
    readonly outline: (text: string) => Effect.Effect<ReadonlyArray<OutlinedService>, ComposeRefused>
  }
>()("@slipway/domain/deploy/ComposeReader") {}
