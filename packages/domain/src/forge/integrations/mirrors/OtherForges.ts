import { Context, Effect, type Redacted, Stream } from "effect"
import { RemoteFailed } from "./GitRemotes.ts"

/** What another host is asked. */
export interface ForgeRequest {
  readonly url: string
  /** The header `Authorization`, which no other origin is sent. */
  readonly authorization?: Redacted.Redacted | undefined
  /** The type of the answer; JSON unless it is said. */
  readonly accept?: string | undefined
  /** What is sent as JSON of that type; nothing is sent unless it is there. */
  readonly body?: unknown
}

/**
 * Reads what other hosts tell of repositories besides git, at addresses that users name: each connection by the rule of the
 * instance (invariant I14), each answer bounded in size and in time (invariant I25).
 *
 * Where no layer says how, nothing is reached.
 */
export class OtherForges extends Context.Reference("@slipway/domain/forge/OtherForges", {
  defaultValue: (): {
    /** Reads an answer as JSON, which nobody has looked into yet. */
    readonly read: (request: ForgeRequest) => Effect.Effect<unknown, RemoteFailed>
    /** Reads the bytes of a file; how many they may be is up to whoever takes them. */
    readonly download: (request: ForgeRequest) => Stream.Stream<Uint8Array, RemoteFailed>
  } => {
    const nowhere = Effect.suspend(() =>
      Effect.fail(new RemoteFailed({ because: "this instance reaches no other hosts" }))
    )
    return { read: () => nowhere, download: () => Stream.fromEffect(nowhere) }
  }
}) {}
