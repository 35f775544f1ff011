import type { Task } from "@slipway/domain/forge/background"
import { Effect } from "effect"
import { forgetSpentSignatures } from "../../entry/credentials/signedRequest.ts"
import { sweep } from "../oauth2/ProtocolRecords.ts"

/** The cleanup of expired sessions, OAuth2 tokens, codes and consents, and of signatures too old to be replayed. */
export const credentialCleanup = {
  name: "delete_expired_credentials",
  schedule: "7 * * * *",
  run: Effect.andThen(sweep, Effect.asVoid(forgetSpentSignatures))
} satisfies Task<unknown>
