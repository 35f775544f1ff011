import type { Methods } from "@slipway/client/forge"
import type { OperationOf } from "../client/ServiceAccess.ts"

/** The forge with the permissions of one caller: every operation of the API as a typed method. */
export type ForgeCaller = Methods

/** Names of the operations of the forge. */
export type Operation = OperationOf<Methods>
