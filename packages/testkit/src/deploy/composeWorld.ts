import type { ComposeReader, ComposeRefused } from "@slipway/domain/deploy/containers"
import { Context, type Effect, type Scope } from "effect"

/** Files of a repository: texts by their paths in it. */
export type RepositoryFiles = Readonly<Record<string, string>>

/** The facts of a service that every normal form contains. */
export interface ExpectedService {
  readonly image: string
  readonly environment: Readonly<Record<string, string>>
}

/** The test environment of a compose reader. */
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

/** The services that the contract of compose readers needs. */
export type ComposeUnderTest = ComposeReader | ComposeWorld
