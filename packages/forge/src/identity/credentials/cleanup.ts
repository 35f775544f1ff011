import type { Task } from "@slipway/domain/forge/background"
import { Effect } from "effect"
import { forgetSpentSignatures } from "../../entry/credentials/signedRequest.ts"
import { sweep } from "../oauth2/ProtocolRecords.ts"

/** Removes sessions, tokens of programs, codes and consents that expired, and signatures that are too old to be used again. */
export const credentialCleanup = {
  name: "delete_expired_credentials",
  schedule: "7 * * * *",
  run: Effect.andThen(sweep, Effect.asVoid(forgetSpentSignatures))
} satisfies Task<unknown>
