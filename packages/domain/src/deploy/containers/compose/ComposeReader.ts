import { Context, type Effect, Schema } from "effect"
import type { OutlinedService } from "../../apps/services/ServicePart.ts"
import type { Pairs } from "../engine/ContainerSpec.ts"

/** The compose files to read, and the values of their variables. */
export interface ComposeRequest {
  /** A local directory with the files of the repository; no symbolic link in it may point outside of it. */
  readonly directory: string
  /** The folder in `directory` that relative paths in the compose files start at. */
  readonly folder: string
  /** The paths of the compose files in `directory`; values of later files override values of earlier files. */
  readonly files: ReadonlyArray<string>
  readonly profiles: ReadonlyArray<string>
  /** The values for `${NAME}` in the files; the environment variables of the platform's process are never used. */
  readonly variables: Pairs
}

/** The text of a compose file of an application without a repository, and the values of its variables. */
export interface ComposeTextRequest {
  readonly text: string
  readonly variables: Pairs
}

/** Compose files as Docker Compose prints them with `config`: merged, complete, and with variables replaced. */
export interface ComposeReading {
  /** The content as plain objects and lists; paths in it are absolute paths of this machine. */
  readonly config: unknown
  /** The names of variables in the files without a value; each was replaced by an empty text. */
  readonly unset: ReadonlyArray<string>
}

/** The evaluated compose file of an application without a repository. */
export interface ComposeTextReading extends ComposeReading {
  /** The absolute path that replaced the start of relative paths; this directory contains no file of the user. */
  readonly directory: string
}

/** Reports that compose files are invalid or cannot be evaluated; `because` is the reason. */
export class ComposeRefused extends Schema.TaggedError<ComposeRefused>()("ComposeRefused", {
  because: Schema.String
}) {}

/**
 * Evaluates compose files with the Docker Compose program: merges the files and replaces variables.
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
    /** Evaluates compose files of a repository; paths in the result are absolute paths of this machine. */
    readonly read: (request: ComposeRequest) => Effect.Effect<ComposeReading, ComposeRefused>
    /** Evaluates the text of a compose file without a repository. */
    readonly readText: (request: ComposeTextRequest) => Effect.Effect<ComposeTextReading, ComposeRefused>
    /** Lists the services in the text of a compose file, without variables. It does not start Docker Compose. */
    readonly outline: (text: string) => Effect.Effect<ReadonlyArray<OutlinedService>, ComposeRefused>
  }
>()("@slipway/domain/deploy/ComposeReader") {}
