import {
  ApplicationNotFound,
  type Deletion,
  DeletionNotFound,
  DeletionStore,
  DeletionUuid,
  DeliveryNotFound,
  DeliveryStore,
  DeliveryUuid,
  DeploymentNotFound,
  DeploymentStore,
  ScheduledTaskNotFound,
  ScheduledTaskStore,
  StorageNotFound,
  StorageStore,
  TagNotFound,
  TagStore,
  VariableNotFound,
  VariableStore
} from "@slipway/domain/deploy/apps"
import { DeploymentUuid } from "@slipway/domain/deploy/base"
import { Effect } from "effect"
import { by, findApplication, type NamedInPath, ofApplication, one, withApplication, withPlace } from "./finders.ts"
import type { PathKinds } from "./PathKinds.ts"

/** The functions that find applications, their subordinate resources and their deployments by path parameters. */
export const applicationsKinds = {
  application: {
    find: ({ uuid }: NamedInPath) => one("application")(findApplication(uuid)),
    missing: () => new ApplicationNotFound()
  },
  applicationTag: {
    find: (named: NamedInPath) =>
      Effect.map(
        ofApplication(TagStore, named, named.tag),
        (found) => found && { application: found.application, tag: found.row }
      ),
    missing: () => new TagNotFound()
  },
  storage: {
    find: (named: NamedInPath) =>
      Effect.map(
        ofApplication(StorageStore, named, named.storage_uuid),
        (found) => found && { application: found.application, storage: found.row }
      ),
    missing: () => new StorageNotFound()
  },
  task: {
    find: (named: NamedInPath) =>
      Effect.map(
        ofApplication(ScheduledTaskStore, named, named.task_uuid),
        (found) => found && { application: found.application, task: found.row }
      ),
    missing: () => new ScheduledTaskNotFound()
  },
  variable: {
    find: (named: NamedInPath) =>
      Effect.map(
        ofApplication(VariableStore, named, named.env_uuid),
        (found) => found && { application: found.application, variable: found.row }
      ),
    missing: () => new VariableNotFound()
  },
  delivery: {
    find: ({ uuid }: NamedInPath) => withApplication("delivery")(by(DeliveryStore, DeliveryUuid)(uuid)),
    missing: () => new DeliveryNotFound()
  },
  deletion: {
    find: ({ uuid }: NamedInPath) =>
      withPlace<{ readonly deletion: Deletion; readonly application?: unknown }, never, DeletionStore>(
        one("deletion")(by(DeletionStore, DeletionUuid)(uuid)),
        ({ deletion }) => deletion.serverUuid
      ),
    missing: () => new DeletionNotFound()
  },
  deployment: {
    find: ({ uuid }: NamedInPath) =>
      withPlace(
        withApplication("deployment")(by(DeploymentStore, DeploymentUuid)(uuid)),
        ({ deployment }) => deployment.serverUuid
      ),
    missing: () => new DeploymentNotFound()
  }
} satisfies Partial<PathKinds>
