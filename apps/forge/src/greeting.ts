import { DatabaseAddress } from "@slipway/sql"
import type { Settings } from "./config.ts"

/** Says where the service is. */
export const greeting = (base: string, { database }: Settings): string => `
Slipway forge
  API        ${base}/api/v1
  Reference  ${base}/docs
  Database   ${DatabaseAddress.show(database)}
`
