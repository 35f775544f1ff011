import type { Application } from "../../apps/applications/Application.ts"
import type { Placement } from "../../apps/placement/Placement.ts"
import type { Database } from "../../databases/Database.ts"
import { type CallerAccess, type Place, teamOf } from "../../identity/grants/Access.ts"
import type { TeamId } from "../../identity/teams/Team.ts"
import type { LoadedThings, ResourceTypeName } from "./resources.ts"

const ofTeam = ({ teamId }: { readonly teamId: TeamId }): Place => ({ teamId })

/** Converts a placement to a place (team, project, environment and resource), to which role grants apply. */
export const placeOfPlacement = (
  { environmentUuid, isProtected, projectUuid, teamId }: Placement,
  resource?: string
): Place => ({ teamId, project: projectUuid, environment: environmentUuid, resource, isProtected })

const ofApplication = ({ application }: { readonly application: Application }): Place =>
  placeOfPlacement(application.placement, application.uuid)

const ofDatabase = ({ database }: { readonly database: Database }): Place =>
  placeOfPlacement(database.placement, database.uuid)

/**
 * Returns the place (team, project, environment) of a deployment or a webhook delivery: the place of its application.
 * After the application is deleted, the place is the team of the server.
 */
const ofFormerApplication = ({
  application,
  place
}: {
  readonly application?: Application | undefined
  readonly place?: Place | undefined
}) => (application === undefined ? place : ofApplication({ application }))

/**
 * The functions that return the place (team, project, environment) of a loaded resource, by resource type; undefined if
 * the resource belongs to no team.
 */
const places: {
  readonly [K in Exclude<ResourceTypeName, "platform">]: (thing: LoadedThings[K]) => Place | undefined
} = {
  account: () => undefined,
  application: ofApplication,
  applicationTag: ofApplication,
  database: ofDatabase,
  databaseBackup: ofDatabase,
  databaseBackupRun: ofDatabase,
  databaseStorage: ofDatabase,
  databaseTag: ofDatabase,
  databaseVariable: ofDatabase,
  deletion: ({ place }) => place,
  delivery: ofFormerApplication,
  deployment: ofFormerApplication,
  destination: ({ destination }) => ofTeam(destination),
  environment: ({ environment, project }) => ({
    teamId: project.teamId,
    project: project.uuid,
    environment: environment.uuid,
    isProtected: environment.isProtected
  }),
  forgeApp: ({ forgeApp }) => ofTeam(forgeApp),
  forgeConnection: ({ forgeConnection }) => ofTeam(forgeConnection),
  gitlabApp: ({ gitlabApp }) => ofTeam(gitlabApp),
  grant: ({ grant }) => ofTeam(grant),
  invitation: ({ invitation }) => ofTeam(invitation),
  key: ({ key }) => ofTeam(key),
  placement: ({ placement }) => placeOfPlacement(placement),
  project: ({ project }) => ({ teamId: project.teamId, project: project.uuid }),
  registry: ({ registry }) => ofTeam(registry),
  role: ({ role }) => ofTeam(role),
  s3Storage: ({ s3Storage }) => ofTeam(s3Storage),
  server: ({ server }) => ofTeam(server),
  service: ofApplication,
  servicePart: ofApplication,
  serviceStorage: ofApplication,
  serviceTag: ofApplication,
  serviceTask: ofApplication,
  serviceVariable: ofApplication,
  sharedOwner: ({ place }) => place,
  sharedVariable: ({ place }) => place,
  storage: ofApplication,
  tag: ({ tag }) => ofTeam(tag),
  task: ofApplication,
  team: ({ team }) => ({ teamId: team.id }),
  token: ({ token }) => ofTeam(token),
  variable: ofApplication
}

/** Returns the place (team, project, environment) of a loaded resource; for the platform, it is the caller's team. */
export const placeOf = <K extends ResourceTypeName>(
  kind: K,
  thing: LoadedThings[K],
  access: CallerAccess
): Place | undefined => {
  if (kind === "platform") return { teamId: teamOf(access) }
  // BOUNDARY: the table has a function for every resource type but the platform.
  return (places[kind as keyof typeof places] as (thing: LoadedThings[K]) => Place | undefined)(thing)
}
