import { Context, type Effect } from "effect"
import type { VisibleCollection } from "../../identity/grants/Visible.ts"
import type { Environment, Project, ProjectUuid } from "./Project.ts"

/** Stores projects. The environments of a removed project are removed with it. */
export class ProjectStore extends Context.Service<ProjectStore, VisibleCollection<Project>>()(
  "@slipway/domain/deploy/ProjectStore"
) {}

/**
 * Stores environments.
 *
 * Must:
 * - list only the environments of the given project, in the order of insertion
 */
export class EnvironmentStore extends Context.Service<
  EnvironmentStore,
  VisibleCollection<Environment> & {
    readonly ofProject: (project: ProjectUuid) => Effect.Effect<ReadonlyArray<Environment>>
  }
>()("@slipway/domain/deploy/EnvironmentStore") {}
