import { PgTypes } from "@effect/sql-pg"
import type { OwnerId } from "@slipway/domain/forge/identity"

/** The id of a user or an organization as a parameter. */
export const userParameter = (id: OwnerId | undefined): unknown => (id === undefined ? null : PgTypes.int8(BigInt(id)))
