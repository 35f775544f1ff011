import {
  type Action,
  type ApplicationStore,
  Applications,
  type DestinationStore,
  Destinations,
  type EnvironmentStore,
  Environments,
  type ForgeAppStore,
  ForgeApps,
  type PrivateKeyStore,
  PrivateKeys,
  type ProjectStore,
  Projects,
  type ScheduledTaskStore,
  ScheduledTasks,
  type ServerStore,
  Servers,
  type ServiceStore,
  Services,
  type SharedVariableStore,
  SharedVariables,
  system,
  type TagStore,
  Tags
} from "@slipway/domain/deploy"
import { Effect } from "effect"
import type { KnownError } from "./errors.ts"

/** What the path of a request names, as it was sent. */
export type Params = Readonly<Record<string, string | undefined>>

/** The stores of what paths name. */
export type Named =
  | ApplicationStore
  | DestinationStore
  | EnvironmentStore
  | ForgeAppStore
  | PrivateKeyStore
  | ProjectStore
  | ScheduledTaskStore
  | ServerStore
  | ServiceStore
  | SharedVariableStore
  | TagStore

type Look = (uuid: string, params: Params) => Effect.Effect<unknown, KnownError, Named>

/** How to find what a path with a body names, by the first word of its action; all others have no body. */
const looks: Readonly<Record<string, Look>> = {
  application: (uuid) => Applications.get(system("application.read"), uuid),
  destination: (uuid) => Servers.get(system("server.read"), uuid),
  environment: (uuid, { environment }) =>
    environment === undefined
      ? Projects.get(system("project.read"), uuid)
      : Environments.get(system("environment.read"), uuid, environment),
  key: (uuid) => PrivateKeys.get(system("key.read"), uuid),
  project: (uuid) => Projects.get(system("project.read"), uuid),
  server: (uuid) => Servers.get(system("server.read"), uuid),
  service: (uuid) => Services.get(system("service.read"), uuid)
}

/** Those whose path names something under a name of its own. */
const byOwnName: Readonly<Partial<Record<Action, (params: Params) => Effect.Effect<unknown, KnownError, Named>>>> = {
  "destination.update": ({ destination = "" }) => Destinations.get(system("destination.read"), destination),
  "forgeApp.update": ({ github_app_id, uuid = "" }) =>
    Effect.flatMap(ForgeApps.uuidOf(github_app_id ?? uuid), (found) => ForgeApps.get(system("forgeApp.read"), found)),
  "sharedVariable.create": SharedVariables.ownerAt,
  "sharedVariable.update": (params) => SharedVariables.find(params, params.env_id ?? ""),
  "task.create": ({ uuid = "" }) => Applications.get(system("application.read"), uuid),
  "task.update": ({ task_uuid = "", uuid = "" }) => ScheduledTasks.find(uuid, task_uuid),
  "tag.update": ({ tag = "" }) => Tags.get(system("tag.read"), tag)
}

/** Fails as its use case would when what the path of a request names is not there. */
export const lookFor = (action: Action, params: Params): Effect.Effect<unknown, KnownError, Named> => {
  const own = byOwnName[action]
  if (own !== undefined) return own(params)
  const look = looks[action.split(".")[0] ?? ""]
  return look === undefined || params.uuid === undefined ? Effect.void : look(params.uuid, params)
}
