import { Context, type Effect, Schema } from "effect"
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

/** The compose files in the program's normal form. */
export interface ComposeReading {
  /** Plain data; paths in it begin at the root of the machine's file system. */
  readonly config: unknown
  /** The variables that the files name and nothing sets: the program fills in nothing for them. */
  readonly unset: ReadonlyArray<string>
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
 * - name the variables that nothing sets
 * - report why files cannot be read
 * - read nothing outside of the directory (invariant I25)
 */
export class ComposeReader extends Context.Service<
  ComposeReader,
  {
    /** Parses files into plain data; its paths start at the root of the local file system. */
    readonly read: (request: ComposeRequest) => Effect.Effect<ComposeReading, ComposeRefused>
  }
>()("@slipway/domain/deploy/ComposeReader") {}
