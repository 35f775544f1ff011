import type { Application } from "../../apps/applications/Application.ts"
import type { Deletion } from "../../apps/deletions/Deletion.ts"
import type { Deployment } from "../../apps/deployments/Deployment.ts"
import type { Placement } from "../../apps/placement/Placement.ts"
import type { Environment, Project } from "../../apps/projects/Project.ts"
import type { ScheduledTask } from "../../apps/scheduled-tasks/ScheduledTask.ts"
import type { Service } from "../../apps/services/Service.ts"
import type { ServicePart } from "../../apps/services/ServicePart.ts"
import type { SharedOwner, SharedVariable } from "../../apps/shared-variables/SharedVariable.ts"
import type { Storage } from "../../apps/storages/Storage.ts"
import type { Tag } from "../../apps/tags/Tag.ts"
import type { Variable } from "../../apps/variables/Variable.ts"
import type { Delivery } from "../../apps/webhooks/Delivery.ts"
import type { Backup, BackupRun } from "../../databases/backups/Backup.ts"
import type { Database } from "../../databases/Database.ts"
import type { Account } from "../../identity/accounts/Account.ts"
import type { Place } from "../../identity/grants/Access.ts"
import type { Grant } from "../../identity/grants/Grant.ts"
import type { Invitation } from "../../identity/invitations/Invitation.ts"
import type { Role } from "../../identity/roles/Role.ts"
import type { Team } from "../../identity/teams/Team.ts"
import type { Token } from "../../identity/tokens/Token.ts"
import type { ConnectedForge, ForgeApp } from "../../infrastructure/forge-apps/ForgeApp.ts"
import type { GitlabApp } from "../../infrastructure/gitlab-apps/GitlabApp.ts"
import type { PrivateKey } from "../../infrastructure/keys/PrivateKey.ts"
import type { Registry } from "../../infrastructure/registries/Registry.ts"
import type { S3Storage } from "../../infrastructure/s3-storages/S3Storage.ts"
import type { Destination, Server } from "../../infrastructure/servers/Server.ts"

/** A service with the application that runs it. */
interface RunService {
  readonly service: Service
  readonly application: Application
}

/** The data that is loaded to decide an action, by resource type; the platform itself needs no data. */
export interface LoadedThings {
  readonly platform: object
  readonly account: { readonly account: Account }
  readonly application: { readonly application: Application }
  readonly applicationTag: { readonly application: Application; readonly tag: Tag }
  readonly database: { readonly database: Database }
  readonly databaseBackup: { readonly database: Database; readonly backup: Backup }
  readonly databaseBackupRun: { readonly database: Database; readonly backup: Backup; readonly run: BackupRun }
  readonly databaseStorage: { readonly database: Database; readonly storage: Storage }
  readonly databaseTag: { readonly database: Database; readonly tag: Tag }
  readonly databaseVariable: { readonly database: Database; readonly variable: Variable }
  readonly deletion: { readonly deletion: Deletion; readonly place?: Place | undefined }
  readonly delivery: { readonly delivery: Delivery; readonly application?: Application | undefined }
  readonly deployment: {
    readonly deployment: Deployment
    readonly application?: Application | undefined
    /** The team of the deployment's server, if the application was deleted; otherwise undefined. */
    readonly place?: Place | undefined
  }
  readonly destination: { readonly destination: Destination }
  readonly environment: { readonly project: Project; readonly environment: Environment }
  readonly forgeApp: { readonly forgeApp: ForgeApp }
  readonly forgeConnection: { readonly forgeConnection: ConnectedForge }
  readonly gitlabApp: { readonly gitlabApp: GitlabApp }
  readonly grant: { readonly grant: Grant; readonly team: Team }
  readonly invitation: { readonly invitation: Invitation; readonly team: Team }
  readonly key: { readonly key: PrivateKey }
  readonly placement: { readonly placement: Placement }
  readonly project: { readonly project: Project }
  readonly registry: { readonly registry: Registry }
  readonly role: { readonly role: Role; readonly team: Team }
  readonly s3Storage: { readonly s3Storage: S3Storage }
  readonly server: { readonly server: Server }
  readonly service: RunService
  readonly servicePart: RunService & { readonly part: ServicePart }
  readonly serviceStorage: RunService & { readonly storage: Storage }
  readonly serviceTag: RunService & { readonly tag: Tag }
  readonly serviceTask: RunService & { readonly task: ScheduledTask }
  readonly serviceVariable: RunService & { readonly variable: Variable }
  readonly sharedOwner: { readonly owner: SharedOwner; readonly place: Place }
  readonly sharedVariable: { readonly sharedVariable: SharedVariable; readonly place: Place }
  readonly storage: { readonly application: Application; readonly storage: Storage }
  readonly tag: { readonly tag: Tag }
  readonly task: { readonly application: Application; readonly task: ScheduledTask }
  readonly team: { readonly team: Team }
  readonly token: { readonly token: Token }
  readonly variable: { readonly application: Application; readonly variable: Variable }
}

/** The name of a resource type. */
export type ResourceTypeName = keyof LoadedThings
