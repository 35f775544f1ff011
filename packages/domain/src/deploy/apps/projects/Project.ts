import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { TeamId } from "../../identity/teams/Team.ts"

/** The uuid of a project. */
export const ProjectUuid = Uuid.pipe(Schema.brand("ProjectUuid"))
export type ProjectUuid = typeof ProjectUuid.Type

/** A project: a group of resources in one or more environments; its name is unique in the team, ignoring case. */
export interface Project extends Entity {
  readonly uuid: ProjectUuid
  readonly teamId: TeamId
  readonly name: string
  readonly description: string
}

/** The uuid of an environment. */
export const EnvironmentUuid = Uuid.pipe(Schema.brand("EnvironmentUuid"))
export type EnvironmentUuid = typeof EnvironmentUuid.Type

/** An environment of a project, such as `production`; its name is unique in the project, ignoring case. */
export interface Environment extends Entity {
  readonly uuid: EnvironmentUuid
  readonly projectUuid: ProjectUuid
  /** The team that owns the project of the environment. */
  readonly teamId: TeamId
  readonly name: string
  readonly description: string
  /**
   * Whether the environment is protected: a deployment then requires a role on the environment itself or an
   * administrator of the team.
   */
  readonly isProtected: boolean
}

/** The error for a project that does not exist. */
export class ProjectNotFound extends Schema.TaggedError<ProjectNotFound>()("ProjectNotFound", {}) {}
/** The error for an environment that does not exist in the project. */
export class EnvironmentNotFound extends Schema.TaggedError<EnvironmentNotFound>()("EnvironmentNotFound", {}) {}
