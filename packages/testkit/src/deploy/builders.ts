import { type New, type Sealed, timeOf } from "@slipway/domain"
import type { Kind } from "@slipway/domain/deploy"
import type {
  Application,
  Configuration,
  Deletion,
  Deployment,
  Environment,
  Placement,
  Project,
  Service,
  ServicePart,
  Tag
} from "@slipway/domain/deploy/apps"
import { fields, plainFields } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { type Database, defaultHealth, defaultSsl } from "@slipway/domain/deploy/databases"
import { type Account, rootTeam, type Token } from "@slipway/domain/deploy/identity"
import type { Destination, ForgeApp, PrivateKey, S3Storage, Server } from "@slipway/domain/deploy/infrastructure"

/** Returns the uuid that test resource number `n` of a type has in every store. */
export const uuidOf = <Uuid extends string>(kind: Kind, n: number): Uuid => {
  const prefix = kind.toLowerCase()
  return `${prefix}${String(n).padStart(24 - prefix.length, "0")}` as Uuid
}

/** Returns time number `n` of a test. Each time is 1.007 seconds after the time before. */
export const moment = (n: number): string => timeOf(1_767_225_600_123 + n * 1_007)

/** Returns the creation and update time of test row number `n`. */
export const stamps = (n: number) => ({ createdAt: moment(n), updatedAt: moment(n + 1) })
/** Casts a text to a ciphertext. The tests of stores need no real encryption. */
export const sealed = (text: string) => text as Sealed

/** A function that makes test row number `n` with some fields replaced. */
export type Build<Row> = (n: number, facts?: Partial<Row>) => Row

/** Makes test project number `n`. */
export const newProject: Build<New<Project>> = (n, facts) => ({
  uuid: uuidOf("project", n),
  teamId: rootTeam,
  name: `project ${n}`,
  description: `the project ${n}`,
  ...stamps(n),
  ...facts
})

/** Makes test environment number `n`, in a project. */
export const newEnvironment = (
  n: number,
  of: Pick<Project, "uuid"> & Partial<Pick<Project, "teamId">>,
  facts?: Partial<New<Environment>>
): New<Environment> => ({
  uuid: uuidOf("environment", n),
  projectUuid: of.uuid,
  teamId: of.teamId ?? rootTeam,
  name: `environment ${n}`,
  description: `the environment ${n}`,
  isProtected: false,
  ...stamps(n),
  ...facts
})

/** Makes test private key number `n`. */
export const newPrivateKey: Build<New<PrivateKey>> = (n, facts) => ({
  uuid: uuidOf("privateKey", n),
  teamId: rootTeam,
  name: `key ${n}`,
  description: `the key ${n}`,
  privateKey: sealed(`sealed ${n}`),
  publicKey: `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${n}`,
  fingerprint: `SHA256:fingerprint${n}`,
  signsFor: "https://api.forge.example",
  ...stamps(n),
  ...facts
})

/** Makes test server number `n`, without a private key. */
export const newServer: Build<New<Server>> = (n, facts) => ({
  uuid: uuidOf("server", n),
  teamId: rootTeam,
  name: `server ${n}`,
  description: `the server ${n}`,
  ip: `10.0.0.${n % 256}`,
  port: 22,
  user: "root",
  privateKeyUuid: null,
  isBuildServer: false,
  proxyType: "caddy",
  proxyConfiguration: null,
  wildcardDomain: null,
  concurrentBuilds: 2,
  deploymentQueueLimit: 25,
  dynamicTimeout: 3_600,
  connectionTimeout: 10,
  engineTransport: "ssh",
  engineSocket: null,
  enginePort: 2_376,
  engineAuthority: null,
  engineCertificate: null,
  validation: null,
  transfer: null,
  cleanupFrequency: "hourly",
  diskCheckFrequency: "0 23 * * *",
  diskThreshold: 80,
  diskCheck: null,
  isMetricsEnabled: false,
  metricsInterval: 60,
  metricsDays: 7,
  isTerminalEnabled: false,
  logDrains: [],
  engineKey: null,
  ...stamps(n),
  ...facts
})

/** Makes test destination number `n`, on a server. */
export const newDestination = (
  n: number,
  of: Pick<Server, "uuid"> & Partial<Pick<Server, "teamId">>,
  facts?: Partial<New<Destination>>
): New<Destination> => ({
  uuid: uuidOf("destination", n),
  serverUuid: of.uuid,
  teamId: of.teamId ?? rootTeam,
  name: `destination ${n}`,
  network: `network-${n}`,
  ...stamps(n),
  ...facts
})

/** Makes test app installation number `n`, with its private key. */
export const newForgeApp = (
  n: number,
  of: Pick<PrivateKey, "uuid">,
  facts?: Partial<New<ForgeApp>>
): New<ForgeApp> => ({
  uuid: uuidOf("forgeApp", n),
  teamId: rootTeam,
  name: `forge app ${n}`,
  organization: null,
  apiUrl: "https://api.forge.example",
  htmlUrl: "https://forge.example",
  customUser: "git",
  customPort: 22,
  appId: 1_000 + n,
  installationId: 2_000 + n,
  clientId: `client ${n}`,
  clientSecret: sealed(`client secret ${n}`),
  webhookSecret: null,
  privateKeyUuid: of.uuid,
  connection: null,
  ...stamps(n),
  ...facts
})

/** Makes test S3 storage number `n`. */
export const newS3Storage = (n: number, facts?: Partial<New<S3Storage>>): New<S3Storage> => ({
  uuid: uuidOf("s3Storage", n),
  teamId: rootTeam,
  name: `storage ${n}`,
  description: `the storage ${n}`,
  endpoint: "https://s3.example",
  region: "eu-north-7",
  bucket: `bucket-${n}`,
  accessKey: sealed(`access key ${n}`),
  secretKey: sealed(`secret key ${n}`),
  isUsable: true,
  recipient: null,
  identity: null,
  ...stamps(n),
  ...facts
})

/** Values that differ from every default field of a test S3 storage, except `isUsable`. */
export const changedS3Storage = {
  name: "another",
  description: "another one",
  endpoint: "https://s3.other.example/path",
  region: "us-west-1",
  bucket: "another-bucket",
  accessKey: sealed("another access key"),
  secretKey: sealed("another secret key"),
  recipient: null,
  identity: sealed("another identity")
} satisfies Partial<S3Storage>

/** Returns the placement of an application in an environment and on a destination. */
export const placementOf = (
  environment: Pick<Environment, "uuid" | "projectUuid" | "name" | "teamId" | "isProtected">,
  destination: Pick<Destination, "uuid" | "serverUuid">
): Placement => ({
  projectUuid: environment.projectUuid,
  environmentUuid: environment.uuid,
  environmentName: environment.name,
  teamId: environment.teamId,
  isProtected: environment.isProtected,
  serverUuid: destination.serverUuid,
  destinationUuid: destination.uuid
})

/** Returns the default settings of an application, with some replaced. */
export const configurationOf = (settings: Partial<Configuration> = {}): Configuration =>
  ({
    ...Object.fromEntries(plainFields.map((name) => [name, fields[name].unset])),
    ports_exposes: "3000",
    ...settings
  }) as Configuration

/** Makes test application number `n`, with a public repository. */
export const newApplication = (
  n: number,
  placement: Placement,
  facts?: Partial<New<Application>>
): New<Application> => ({
  uuid: uuidOf("application", n),
  variant: "public",
  placement,
  forgeAppUuid: null,
  privateKeyUuid: null,
  configuration: configurationOf({
    name: `application ${n}`,
    git_repository: "https://forge.example/owner/repository",
    git_branch: "main",
    build_pack: "packer_a"
  }),
  secrets: {},
  generatedDomain: null,
  isDeclared: false,
  ownerUuid: null,
  ...stamps(n),
  ...facts
})

/** Makes part number `n` of a service. */
export const newPart: Build<ServicePart> = (n, facts) => ({
  uuid: `part${String(n).padStart(20, "0")}` as ServicePart["uuid"],
  name: `part-${n}`,
  type: "application",
  composeImage: null,
  image: null,
  humanName: null,
  description: null,
  isExcludedFromStatus: false,
  isStopped: false,
  ...facts
})

/** Makes test service number `n`. */
export const newService = (n: number, placement: Placement, facts?: Partial<New<Service>>): New<Service> => ({
  uuid: uuidOf("service", n),
  name: `service ${n}`,
  description: `the service ${n}`,
  placement,
  dockerComposeRaw: "services: {}\n",
  urls: [],
  template: null,
  templateCompose: null,
  connectsToNetwork: false,
  parts: [],
  ...stamps(n),
  ...facts
})

/** Makes test database number `n`, without a pending request to start or stop it. */
export const newDatabase = (n: number, placement: Placement, facts?: Partial<New<Database>>): New<Database> => ({
  uuid: uuidOf("database", n),
  kind: "postgresql",
  name: `database ${n}`,
  description: `the database ${n}`,
  image: "postgres:17-alpine",
  placement,
  settings: { postgres_user: "postgres", postgres_db: "postgres", postgres_initdb_args: null },
  secrets: { postgres_password: sealed(`password ${n}`) },
  health: defaultHealth,
  ssl: defaultSsl,
  certificateExpiresAt: null,
  limits: {
    limits_memory: "0",
    limits_memory_swap: "0",
    limits_memory_swappiness: 60,
    limits_memory_reservation: "0",
    limits_cpus: "0",
    limits_cpuset: null,
    limits_cpu_shares: 1_024
  },
  isPublic: false,
  publicPort: null,
  declaredBy: null,
  action: null,
  state: "idle",
  reason: null,
  runUuid: null,
  servingUuid: null,
  unhealthy: null,
  claimedBy: null,
  leaseUntil: null,
  ...stamps(n),
  ...facts
})

/** Makes test tag number `n`. */
export const newTag: Build<New<Tag>> = (n, facts) => ({
  uuid: uuidOf("tag", n),
  teamId: rootTeam,
  name: `tag-${n}`,
  ...stamps(n),
  ...facts
})

/** Makes test account number `n`. */
export const newAccount: Build<New<Account>> = (n, facts) => ({
  uuid: uuidOf("account", n),
  name: `account-${n}`,
  email: `account-${n}@example.com`,
  isRoot: false,
  isDisabled: false,
  lastSignInAt: null,
  ...stamps(n),
  ...facts
})

/** Makes test token number `n`. */
export const newToken: Build<New<Token>> = (n, facts) => ({
  uuid: uuidOf("token", n),
  teamId: rootTeam,
  accountUuid: null,
  projects: null,
  name: `token ${n}`,
  abilities: ["read"],
  hash: n.toString(16).padStart(64, "0"),
  expiresAt: null,
  lastUsedAt: null,
  ...stamps(n),
  ...facts
})

interface Target {
  readonly applicationUuid: ApplicationUuid
  readonly serverUuid: Server["uuid"]
  readonly destinationUuid: Destination["uuid"]
}

/** Returns the uuids that a deployment or a deletion refers to; these resources need not exist. */
export const targetOf = (n: number): Target => ({
  applicationUuid: uuidOf("application", n),
  serverUuid: uuidOf("server", n),
  destinationUuid: uuidOf("destination", n)
})

/** Makes test deployment number `n`, in the state `queued`. */
export const newDeployment = (n: number, target: Target, facts?: Partial<New<Deployment>>): New<Deployment> => ({
  uuid: uuidOf("deployment", n),
  ...target,
  applicationName: `application ${n}`,
  serverName: `server ${n}`,
  commit: "HEAD",
  commitMessage: null,
  pullRequestId: 0,
  trigger: "api",
  action: "deploy",
  releaseUuid: null,
  force: false,
  status: "queued",
  reason: null,
  imageId: null,
  cancelRequested: false,
  requestedBy: null,
  pusher: null,
  approvalUntil: null,
  startsParts: [],
  imageTag: null,
  startedAt: null,
  finishedAt: null,
  claimedBy: null,
  leaseUntil: null,
  ...stamps(n),
  ...facts
})

/** Makes test deletion number `n`, which deletes all resources of an application. */
export const newDeletion = (n: number, target: Target, facts?: Partial<New<Deletion>>): New<Deletion> => ({
  uuid: uuidOf("deletion", n),
  ...target,
  applicationName: `application ${n}`,
  deleteConfigurations: true,
  deleteVolumes: true,
  dockerCleanup: true,
  deleteConnectedNetworks: true,
  forgeLink: null,
  status: "queued",
  removed: [],
  left: [],
  reason: null,
  attempts: 0,
  claimedBy: null,
  leaseUntil: null,
  ...stamps(n),
  ...facts
})
