import type { Application } from "../../apps/applications/Application.ts"
import type { ProjectUuid } from "../../apps/projects/Project.ts"
import type { LoadedThings, ResourceTypeName } from "./resources.ts"

const ofApplication = ({ application }: { readonly application: Application }) => application.placement.projectUuid
const stillPlacedApplication = ({ application }: { readonly application?: Application | undefined }) =>
  application?.placement.projectUuid
const owned = ({ projectUuid }: { readonly projectUuid?: ProjectUuid | undefined }) => projectUuid
const nowhere = () => undefined

/** The project of a loaded resource; undefined for one without a project, or one that outlives its application. */
const projects: { readonly [K in ResourceTypeName]: (thing: LoadedThings[K]) => ProjectUuid | undefined } = {
  platform: nowhere,
  account: nowhere,
  application: ofApplication,
  applicationTag: ofApplication,
  database: ({ database }) => database.placement.projectUuid,
  databaseBackup: ({ database }) => database.placement.projectUuid,
  databaseBackupRun: ({ database }) => database.placement.projectUuid,
  deletion: nowhere,
  delivery: stillPlacedApplication,
  deployment: stillPlacedApplication,
  destination: nowhere,
  environment: ({ project }) => project.uuid,
  forgeApp: nowhere,
  forgeConnection: nowhere,
  key: nowhere,
  project: ({ project }) => project.uuid,
  s3Storage: nowhere,
  server: nowhere,
  service: ofApplication,
  servicePart: ofApplication,
  serviceStorage: ofApplication,
  serviceTag: ofApplication,
  serviceTask: ofApplication,
  serviceVariable: ofApplication,
  sharedOwner: owned,
  sharedVariable: owned,
  storage: ofApplication,
  tag: nowhere,
  task: ofApplication,
  team: nowhere,
  token: nowhere,
  variable: ofApplication
}

/** Returns the project of a resource. */
export const projectOf = <K extends ResourceTypeName>(kind: K, thing: LoadedThings[K]): ProjectUuid | undefined =>
  projects[kind](thing)
