import { Schema } from "effect"
import { Uuid } from "../../../Ids.ts"

/** The uuid of a deployment. */
export const DeploymentUuid = Uuid.pipe(Schema.brand("DeploymentUuid"))
export type DeploymentUuid = typeof DeploymentUuid.Type
