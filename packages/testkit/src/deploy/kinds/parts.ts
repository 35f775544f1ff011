import type { Entity } from "@slipway/domain"
import { Effect } from "effect"
import { moment } from "../builders.ts"

/** Stores no row. */
export const nothing = Effect.void

/** Returns a row with a later time of change. */
export const later = <Row extends Entity>(row: Row): Row => ({ ...row, updatedAt: moment(1_000) })
