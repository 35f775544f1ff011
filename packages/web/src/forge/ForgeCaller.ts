import type { Methods } from "@slipway/client/forge"
import type { OperationOf } from "../client/ServiceAccess.ts"

/** The API client of the forge, with the permissions of one caller. Every API operation is a typed method. */
export type ForgeCaller = Methods

/** The names of the API operations of the forge. */
export type Operation = OperationOf<Methods>
