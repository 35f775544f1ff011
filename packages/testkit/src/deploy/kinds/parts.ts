import type { Entity } from "@slipway/domain"
import { Effect } from "effect"
import { moment } from "../builders.ts"

/** An effect that stores no rows, for resource types that reference no other type. */
export const nothing = Effect.void

/** Returns a copy of a row with a later update time. */
export const later = <Row extends Entity>(row: Row): Row => ({ ...row, updatedAt: moment(1_000) })
