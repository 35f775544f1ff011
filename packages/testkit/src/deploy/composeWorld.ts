import type { ComposeReader, ComposeRefused } from "@slipway/domain/deploy/containers"
import { Context, type Effect, type Scope } from "effect"

/** The files of a repository: their contents by path. */
export type RepositoryFiles = Readonly<Record<string, string>>

/** The fields of a service that are the same in the output of every compose reader. */
export interface ExpectedService {
  readonly image: string
  readonly environment: Readonly<Record<string, string>>
}

/**
 * The test environment of a compose reader: it writes compose files, and sets the output of a simulated compose
 * program.
 */
export class ComposeWorld extends Context.Service<
  ComposeWorld,
  {
    /** Writes files into a new directory. */
    readonly directory: (files: RepositoryFiles) => Effect.Effect<string, never, Scope.Scope>
    /** Sets a simulated answer for a file: the output of the program, or the reason of a failure. */
    readonly says: (
      text: string,
      services: (variables: ReadonlyMap<string, string>) => Readonly<Record<string, ExpectedService>> | ComposeRefused
    ) => Effect.Effect<void>
  }
>()("@slipway/testkit/deploy/ComposeWorld") {}

/** The services that the contract tests of compose readers need. */
export type ComposeUnderTest = ComposeReader | ComposeWorld
