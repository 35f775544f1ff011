import type { Sources } from "@slipway/domain/deploy/apps"
import { Context, type Effect, type Scope } from "effect"

/** A commit for a branch, with all of its files; a text that begins with an arrow is a link. */
export interface PlantedCommit {
  readonly message: string
  readonly files: Readonly<Record<string, string>>
  /** The commits of submodules, by their paths; `.gitmodules` is one of the files. */
  readonly submodules?: Readonly<Record<string, string>>
}

/** A repository to which a test can add commits. */
export interface PlantedRepository {
  readonly address: string
  /**
   * Puts a commit on top of a branch, or of another reference that begins with `refs/`, which is created if missing,
   * and returns its id.
   */
  readonly commit: (branch: string, commit: PlantedCommit) => Effect.Effect<string>
}

/** The test environment of sources: repositories, written files, and whether an injected command has run. */
export class SourceWorld extends Context.Service<
  SourceWorld,
  {
    /** Makes a repository that is public, or requires a token. */
    readonly repository: (
      account: { readonly username: string; readonly token: string } | null
    ) => Effect.Effect<PlantedRepository, never, Scope.Scope>
    /** The address of a missing repository. */
    readonly nowhere: Effect.Effect<string, never, Scope.Scope>
    /** The files of a directory by their paths, links as arrows. */
    readonly list: (directory: string) => Effect.Effect<Readonly<Record<string, string>>>
    /** The path of a file that exists after an injected command has run. */
    readonly marker: string
    readonly isMarked: Effect.Effect<boolean>
  }
>()("@slipway/testkit/deploy/SourceWorld") {}

/** The services that the contract of sources needs. */
export type SourcesUnderTest = Sources | SourceWorld
