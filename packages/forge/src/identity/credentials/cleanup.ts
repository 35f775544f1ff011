import type { Task } from "@slipway/domain/forge/background"
import { Effect } from "effect"
import { forgetSpentSignatures } from "../../entry/credentials/signedRequest.ts"
import { sweep } from "../oauth2/ProtocolRecords.ts"

/** Removes expired sessions, OAuth2 tokens, codes and consents, and signatures too old for a replay. */
export const credentialCleanup = {
  name: "delete_expired_credentials",
  schedule: "7 * * * *",
  run: Effect.andThen(sweep, Effect.asVoid(forgetSpentSignatures))
} satisfies Task<unknown>
