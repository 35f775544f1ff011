import {
  StorageNotFound,
  StorageStore,
  TagNotFound,
  TagStore,
  VariableNotFound,
  VariableStore
} from "@slipway/domain/deploy/apps"
import { BackupNotFound, BackupRunNotFound, BackupStore, DatabaseNotFound } from "@slipway/domain/deploy/databases"
import { Effect } from "effect"
import { findBackup, findDatabase, type NamedInPath, ofDatabase, one } from "./finders.ts"
import type { PathKinds } from "./PathKinds.ts"

/** The functions that find databases and their subordinate resources by path parameters. */
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
  },
  databaseStorage: {
    find: (named: NamedInPath) =>
      Effect.map(
        ofDatabase(StorageStore, named, named.storage_uuid),
        (found) => found && { database: found.database, storage: found.row }
      ),
    missing: () => new StorageNotFound()
  },
  databaseTag: {
    find: (named: NamedInPath) =>
      Effect.map(
        ofDatabase(TagStore, named, named.tag),
        (found) => found && { database: found.database, tag: found.row }
      ),
    missing: () => new TagNotFound()
  },
  databaseVariable: {
    find: (named: NamedInPath) =>
      Effect.map(
        ofDatabase(VariableStore, named, named.env_uuid),
        (found) => found && { database: found.database, variable: found.row }
      ),
    missing: () => new VariableNotFound()
  }
} satisfies Partial<PathKinds>
