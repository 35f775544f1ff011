import { BackupNotFound, BackupRunNotFound, BackupStore, DatabaseNotFound } from "@slipway/domain/deploy/databases"
import { Effect } from "effect"
import { findBackup, findDatabase, type NamedInPath, one } from "./finders.ts"
import type { PathKinds } from "./PathKinds.ts"

/** Finds the resources of paths: databases and their backups. */
export const databasesKinds = {
  database: {
    find: ({ uuid }: NamedInPath) => one("database")(findDatabase(uuid)),
    missing: () => new DatabaseNotFound()
  },
  databaseBackup: {
    find: findBackup,
    missing: () => new BackupNotFound()
  },
  databaseBackupRun: {
    find: Effect.fnUntraced(function* ({ execution_uuid: named, ...path }: NamedInPath) {
      const found = yield* findBackup(path)
      if (found === undefined) return yield* new BackupNotFound()
      const run = (yield* (yield* BackupStore).executions(found.backup.uuid)).find((each) => each.uuid === named)
      return run && { ...found, run }
    }),
    missing: () => new BackupRunNotFound()
  }
} satisfies Partial<PathKinds>
