import {
  ScheduledTaskNotFound,
  ScheduledTaskStore,
  ServiceNotFound,
  ServicePartNotFound,
  StorageNotFound,
  StorageStore,
  TagNotFound,
  TagStore,
  VariableNotFound,
  VariableStore
} from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import { findPart, findService, type NamedInPath, ofService } from "./finders.ts"
import type { PathKinds } from "./PathKinds.ts"

/** The functions that find services and their parts by path parameters. */
export const servicesKinds = {
  service: {
    find: findService,
    missing: () => new ServiceNotFound()
  },
  servicePart: { find: findPart, missing: () => new ServicePartNotFound() },
  serviceStorage: {
    find: (named: NamedInPath) =>
      Effect.map(
        ofService(StorageStore, named, named.storage_uuid),
        (found) => found && { ...found, storage: found.row }
      ),
    missing: () => new StorageNotFound()
  },
  serviceTag: {
    find: (named: NamedInPath) =>
      Effect.map(ofService(TagStore, named, named.tag), (found) => found && { ...found, tag: found.row }),
    missing: () => new TagNotFound()
  },
  serviceTask: {
    find: (named: NamedInPath) =>
      Effect.map(
        ofService(ScheduledTaskStore, named, named.task_uuid),
        (found) => found && { ...found, task: found.row }
      ),
    missing: () => new ScheduledTaskNotFound()
  },
  serviceVariable: {
    find: (named: NamedInPath) =>
      Effect.map(
        ofService(VariableStore, named, named.env_uuid),
        (found) => found && { ...found, variable: found.row }
      ),
    missing: () => new VariableNotFound()
  }
} satisfies Partial<PathKinds>
