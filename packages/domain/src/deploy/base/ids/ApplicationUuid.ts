import { Schema } from "effect"
import { Uuid } from "../../../Ids.ts"

/** The uuid of an application. */
export const ApplicationUuid = Uuid.pipe(Schema.brand("ApplicationUuid"))

export type ApplicationUuid = typeof ApplicationUuid.Type
