import type { Sources } from "@slipway/domain/deploy/apps"
import { Context, type Effect, type Scope } from "effect"

/**
 * A commit to make in a test repository, with all of its files. A content that begins with `-> ` is a symbolic link to
 * the path after it.
 */
export interface PlantedCommit {
  readonly message: string
  readonly files: Readonly<Record<string, string>>
  /** The commit ids of submodules, by path. Their URLs are in the file `.gitmodules`. */
  readonly submodules?: Readonly<Record<string, string>>
}

/** A repository to which a test can add commits. */
export interface PlantedRepository {
  readonly address: string
  /**
   * Adds a commit to a branch, and returns its id. The branch is created if it is missing.
   *
   * `branch` may also be another reference that begins with `refs/`.
   */
  readonly commit: (branch: string, commit: PlantedCommit) => Effect.Effect<string>
}

/**
 * The test environment of source repositories: it makes repositories, lists written files, and detects injected
 * commands.
 */
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

/** The services that the contract tests of source repositories need. */
export type SourcesUnderTest = Sources | SourceWorld
