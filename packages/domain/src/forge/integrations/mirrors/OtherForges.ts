import { Context, Effect, type Redacted, Stream } from "effect"
import { RemoteFailed } from "./GitRemotes.ts"

/** An HTTP request to the API of another host. */
export interface ForgeRequest {
  readonly url: string
  /** The value of the `Authorization` header. It is not sent to other origins after a redirect. */
  readonly authorization?: Redacted.Redacted | undefined
  /** The media type of the response; JSON by default. */
  readonly accept?: string | undefined
  /** The JSON body of the request; none is sent if omitted. */
  readonly body?: unknown
}

/**
 * Reads issues, releases and other non-git data from APIs of other hosts, by URLs that users enter.
 *
 * Every connection is checked by the instance's egress rule (invariant I14), and every response has size and time
 * limits (invariant I25). By default, all requests fail.
 */
export class OtherForges extends Context.Reference("@slipway/domain/forge/OtherForges", {
  defaultValue: (): {
    /** Sends a request and returns the JSON of the response, which the caller must validate. */
    readonly read: (request: ForgeRequest) => Effect.Effect<unknown, RemoteFailed>
    /** Downloads a file as a stream; the caller must limit its size. */
    readonly download: (request: ForgeRequest) => Stream.Stream<Uint8Array, RemoteFailed>
  } => {
    const nowhere = Effect.suspend(() =>
      Effect.fail(new RemoteFailed({ because: "this instance does not connect to other hosts" }))
    )
    return { read: () => nowhere, download: () => Stream.fromEffect(nowhere) }
  }
}) {}
