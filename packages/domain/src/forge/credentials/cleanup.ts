import { Effect } from "effect"
import { sweep } from "../oauth2/ProtocolRecords.ts"
import type { Task } from "../tasks/Task.ts"
import { forgetSpentSignatures } from "./signedRequest.ts"

/** Removes sessions, tokens of programs, codes and consents that expired, and signatures that are too old to be used again. */
export const credentialCleanup = {
  name: "delete_expired_credentials",
  schedule: "7 * * * *",
  run: Effect.andThen(sweep, Effect.asVoid(forgetSpentSignatures))
} satisfies Task<unknown>
