import { PgTypes } from "@effect/sql-pg"
import type { OwnerId } from "@slipway/domain/forge/identity"

/** Returns the id of a user or an organization as an SQL parameter; null for undefined. */
export const userParameter = (id: OwnerId | undefined): unknown => (id === undefined ? null : PgTypes.int8(BigInt(id)))
