export * as Cleanups from "./cleanups/Cleanups.ts"
export * as ClientRotations from "./forge-apps/ClientRotations.ts"
export * as ForgeApps from "./forge-apps/ForgeApps.ts"
export * as ForgeConnections from "./forge-apps/ForgeConnections.ts"
export * as TokenRotations from "./forge-apps/TokenRotations.ts"
export * as GitlabApps from "./gitlab-apps/GitlabApps.ts"
export * as PrivateKeys from "./keys/PrivateKeys.ts"
export * as LogDrains from "./log-drains/LogDrains.ts"
export * as Metrics from "./metrics/Metrics.ts"
export * as Notifications from "./notifications/Notifications.ts"
export * as Registries from "./registries/Registries.ts"
export * from "./s3-storages/openBucket.ts"
export * as S3Storages from "./s3-storages/S3Storages.ts"
export * from "./servers/accessTo.ts"
export * from "./servers/configureProxy.ts"
export * as Destinations from "./servers/Destinations.ts"
export * from "./servers/diskUse.ts"
export * from "./servers/install.ts"
export * from "./servers/restartProxy.ts"
export * as Servers from "./servers/Servers.ts"
export {
  engineFailureReason,
  forgetHostKeys,
  inTime,
  oldestApi,
  openEngine,
  publicEngineFailureReason,
  type Validation,
  validate
} from "./servers/validate.ts"
