import { DeploymentStore } from "@slipway/domain/deploy"
import { Effect, Layer, Result } from "effect"
import { collection } from "../collection.ts"
import { Tables } from "./tables.ts"

/** Deployments in memory. */
export const deploymentStore = Layer.effect(
  DeploymentStore,
  Effect.map(Tables, ({ database, deployment, deploymentsOfApplication }) => ({
    ...collection(database, deployment),
    ofApplication: (application, { after, ...window }) =>
      database.read((snapshot) =>
        deploymentsOfApplication.list(snapshot, application, {
          ...window,
          after: after === undefined ? undefined : -after
        })
      ),
    cancelQueued: (application, at) =>
      database.write((snapshot) => {
        for (const row of deploymentsOfApplication.list(snapshot, application)) {
          if (row.status === "queued") deployment.replace(snapshot, { ...row, status: "cancelled", updatedAt: at })
        }
        return Result.void
      })
  }))
)
