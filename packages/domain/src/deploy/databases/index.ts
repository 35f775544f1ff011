export * from "./backups/Backup.ts"
export * from "./backups/BackupStore.ts"
export * from "./backups/dump.ts"
export * from "./backups/Restore.ts"
export * from "./backups/RestoreStore.ts"
export * from "./backups/restorePrograms.ts"
export * from "./backups/retention.ts"
export {
  containerOf,
  type DatabaseContainerParts,
  externalAddress,
  internalAddress,
  storageProblem,
  variableProblem,
  volumeOf
} from "./container.ts"
export * from "./Database.ts"
export * from "./DatabaseStore.ts"
export * as DatabaseKinds from "./kinds.ts"
export { type DatabaseKind, isDatabaseName, kindFields, kindNames, kindOf } from "./kinds.ts"
export {
  changedSettings,
  open as openDatabase,
  type Sent as DatabaseSecretsSent,
  sealAll,
  sealSent,
  settingsFor,
  type Values as DatabaseValues
} from "./secrets.ts"
export {
  type DatabaseSsl,
  defaultSsl,
  type SslMode,
  sslFiles,
  sslModeOf,
  sslModes,
  sslModesOf,
  sslProblem
} from "./ssl.ts"
export * from "./volume-backups/VolumeBackup.ts"
export * from "./volume-backups/VolumeBackupStore.ts"
export * from "./volume-backups/VolumeRestore.ts"
