import { Context, type Effect } from "effect"
import { type Remote, RemoteFailed } from "./GitRemotes.ts"

/**
 * Reads what other hosts' APIs tell of repositories, at addresses that users name: each connection by the rule of the instance
 * (invariant I14), each answer bounded in size and in time (invariant I25).
 *
 * Where no layer says how, nothing is reached.
 */
export class OtherForges extends Context.Reference("@slipway/domain/forge/OtherForges", {
  defaultValue: (): {
    /** Reads an answer as JSON, which nobody has looked into yet. */
    readonly read: (url: string, account: Remote["account"]) => Effect.Effect<unknown, RemoteFailed>
  } => ({ read: () => new RemoteFailed({ because: "this instance reaches no other hosts" }) })
}) {}
