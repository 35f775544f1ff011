import { nameKey } from "@slipway/domain"
import {
  EnvironmentNotFound,
  EnvironmentStore,
  ProjectNotFound,
  ProjectStore,
  ProjectUuid,
  type SharedOwner,
  SharedVariableNotFound,
  SharedVariableStore,
  TagNotFound,
  TagStore,
  TagUuid,
  teamOwner
} from "@slipway/domain/deploy/apps"
import type { Caller } from "@slipway/domain/deploy/entry"
import { type Place, teamOf } from "@slipway/domain/deploy/identity"
import { ServerNotFound, ServerStore, ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { by, type NamedInPath, one } from "./finders.ts"
import type { PathKinds } from "./PathKinds.ts"

const findProject = by(ProjectStore, ProjectUuid)

const environment = Effect.fnUntraced(function* (project: ProjectUuid, nameOrUuid: string) {
  const all = yield* (yield* EnvironmentStore).ofProject(project)
  const name = nameKey(nameOrUuid)
  return all.find((each) => each.uuid === nameOrUuid) ?? all.find((each) => nameKey(each.name) === name)
})

/** Finds the owner of the shared variables in a path: a project, environment or server, by default the caller's team. */
const sharedOwner = Effect.fnUntraced(function* (
  { environment: named, project_uuid, server_uuid }: NamedInPath,
  { access }: Caller
) {
  const of = (owner: SharedOwner, place: Place) => ({ owner, place })
  if (server_uuid !== undefined) {
    const server = yield* by(ServerStore, ServerUuid)(server_uuid)
    if (server === undefined) return yield* new ServerNotFound()
    return of({ scope: "server", owner: server.uuid }, { teamId: server.teamId })
  }
  if (project_uuid === undefined) return of(teamOwner(teamOf(access)), { teamId: teamOf(access) })
  const project = yield* findProject(project_uuid)
  if (project === undefined) return yield* new ProjectNotFound()
  const inProject = { teamId: project.teamId, project: project.uuid }
  if (named === undefined) return of({ scope: "project", owner: project.uuid }, inProject)
  const found = yield* environment(project.uuid, named)
  if (found === undefined) return yield* new EnvironmentNotFound()
  const { isProtected, uuid } = found
  return of({ scope: "environment", owner: uuid }, { ...inProject, environment: uuid, isProtected })
})

/** The functions that find projects, environments, shared variables and tags by path parameters. */
export const projectsKinds = {
  project: {
    find: ({ uuid }: NamedInPath) => one("project")(findProject(uuid)),
    missing: () => new ProjectNotFound()
  },
  environment: {
    find: Effect.fnUntraced(function* ({ environment: named = "", uuid }: NamedInPath) {
      const project = yield* findProject(uuid)
      if (project === undefined) return yield* new ProjectNotFound()
      const found = yield* environment(project.uuid, named)
      return found && { project, environment: found }
    }),
    missing: () => new EnvironmentNotFound()
  },
  // No path names a placement: use cases decide on those of request bodies.
  placement: { find: () => Effect.undefined, missing: () => new EnvironmentNotFound() },
  sharedOwner: { find: sharedOwner, missing: () => new SharedVariableNotFound() },
  sharedVariable: {
    // Also by its numeric id, as Coolify's clients name it.
    find: Effect.fnUntraced(function* (named: NamedInPath, caller: Caller) {
      const { owner, place } = yield* sharedOwner(named, caller)
      const all = yield* (yield* SharedVariableStore).ofOwners([owner])
      const found = all.find(({ id, uuid }) => String(id) === named.env_id || uuid === named.env_id)
      return found && { sharedVariable: found, place }
    }),
    missing: () => new SharedVariableNotFound()
  },
  tag: {
    find: ({ tag }: NamedInPath) => one("tag")(by(TagStore, TagUuid)(tag)),
    missing: () => new TagNotFound()
  }
} satisfies Partial<PathKinds>
