import { Schema } from "effect"
import { Uuid } from "../../../Ids.ts"

/** The uuid of a release. */
export const ReleaseUuid = Uuid.pipe(Schema.brand("ReleaseUuid"))
export type ReleaseUuid = typeof ReleaseUuid.Type
