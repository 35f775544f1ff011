import { EnvironmentStore, ProjectStore, ProjectUuid } from "@slipway/domain/deploy/apps"
import type { Caller } from "@slipway/domain/deploy/entry"
import { everything, type TeamId } from "@slipway/domain/deploy/identity"
import { DestinationStore, ServerStore, ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { Data, Effect, Schema } from "effect"
import { readableBy } from "../../base/reading/listUseCases.ts"

/** A resource that a request can select in a field. */
export interface Choice {
  readonly uuid: string
  readonly name: string
}

/** The error of a request that omits a field for which several resources are possible. It lists them by field. */
export class ChoiceNeeded extends Data.TaggedError("ChoiceNeeded")<{
  readonly choices: Readonly<Record<string, ReadonlyArray<Choice>>>
}> {}

/** The maximum number of choices for an omitted field in an error response. */
export const mostChoices = 100

const isProjectUuid = Schema.is(ProjectUuid)
const isServerUuid = Schema.is(ServerUuid)

/** Returns the only resource for an omitted field, or the list of choices if several are possible. */
const only = (field: string, sent: unknown, found: ReadonlyArray<Choice>) => {
  const [first, ...others] = found
  if (sent !== undefined || first === undefined) return { uuid: undefined, choices: {} }
  if (others.length === 0) return { uuid: first.uuid, choices: {} }
  const choices = found.slice(0, mostChoices).map(({ name, uuid }) => ({ uuid, name }))
  return { uuid: undefined, choices: { [field]: choices } }
}

const isKnownTo =
  ({ access }: Caller) =>
  ({ teamId }: { readonly teamId: TeamId }): boolean =>
    access === everything || access.teams.includes(teamId)

const environmentsKnownTo = (caller: Caller, project: ProjectUuid) =>
  Effect.flatMap(EnvironmentStore, ({ ofProject }) =>
    Effect.map(ofProject(project), (all) => all.filter(isKnownTo(caller)))
  )

const destinationsKnownTo = (caller: Caller, server: ServerUuid) =>
  Effect.flatMap(DestinationStore, ({ ofServer }) =>
    Effect.map(ofServer(server), (all) => all.filter(isKnownTo(caller)))
  )

/**
 * Returns the placement fields (project, environment, server and destination) that a request omits, if the caller can
 * use only one of each.
 *
 * Fails with the list of choices if several are possible. Does not check the fields that the request contains.
 */
export const placementFor = Effect.fnUntraced(function* (caller: Caller, body: Readonly<Record<string, unknown>>) {
  const limited = { limit: mostChoices }
  const projects = readableBy(caller, "project.read", yield* ProjectStore)
  const servers = readableBy(caller, "server.read", yield* ServerStore)
  const project = only("project_uuid", body.project_uuid, yield* projects.list(limited))
  const server = only("server_uuid", body.server_uuid, yield* servers.list(limited))
  const projectUuid = body.project_uuid ?? project.uuid
  const serverUuid = body.server_uuid ?? server.uuid
  const environment = only(
    "environment_uuid",
    body.environment_uuid ?? body.environment_name,
    isProjectUuid(projectUuid) ? yield* environmentsKnownTo(caller, projectUuid) : []
  )
  const destination = only(
    "destination_uuid",
    body.destination_uuid,
    isServerUuid(serverUuid) ? yield* destinationsKnownTo(caller, serverUuid) : []
  )
  const choices = { ...project.choices, ...environment.choices, ...server.choices, ...destination.choices }
  if (Object.keys(choices).length > 0) return yield* new ChoiceNeeded({ choices })
  const chosen = {
    project_uuid: project.uuid,
    environment_uuid: environment.uuid,
    server_uuid: server.uuid,
    destination_uuid: destination.uuid
  }
  return Object.fromEntries(Object.entries(chosen).filter(([, uuid]) => uuid !== undefined))
})
