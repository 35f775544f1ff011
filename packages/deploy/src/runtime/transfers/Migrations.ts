import { HookSender, type HookUnsent, InvalidInput, makeSecret } from "@slipway/domain"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { TransferUnfinished } from "@slipway/domain/deploy/runtime"
import { Effect, Redacted, Schema } from "effect"
import { begin, cancel, complete, type Envelope } from "./Exports.ts"

/** The instance that receives a server, and how it claims the server. */
export interface MigrationInput {
  readonly targetUrl: string
  readonly targetToken: Redacted.Redacted
  readonly writesRemote: boolean
  readonly rebindsSentinel: boolean
  /** Returns the bundle in the form in which the API of the other instance expects it. */
  readonly bodyOf: (envelope: Envelope) => unknown
}

const Answer = Schema.fromJsonString(
  Schema.Struct({
    message: Schema.optionalKey(Schema.String),
    errors: Schema.optionalKey(Schema.Record(Schema.String, Schema.Array(Schema.String)))
  })
)
const decodeAnswer = Schema.decodeUnknownOption(Answer)

const longest = 500

/** Returns the reason in an error response of the other instance, in one line of limited length. */
const reasonIn = (body: string): string => {
  const read = decodeAnswer(body)
  if (read._tag === "None") return "it gave no reason"
  const { errors = {}, message = "it gave no reason" } = read.value
  const details = Object.entries(errors).map(([field, sentences]) => `${field}: ${sentences.join(" ")}`)
  return [message, ...details]
    .join(" ")
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .slice(0, longest)
}

const unfinished = (what: string, reason: string) =>
  new TransferUnfinished({
    because: `${what}: ${reason}; the transfer has begun, so repeat the request, or cancel the transfer`
  })

/** Sends a request to the API of the other instance. */
const send = Effect.fnUntraced(function* ({ targetToken, targetUrl }: MigrationInput, path: string, body: unknown) {
  const { send: request } = yield* HookSender
  return yield* request({
    method: "POST",
    url: `${targetUrl.replace(/\/+$/, "")}/api/v1${path}`,
    headers: {
      Authorization: `Bearer ${Redacted.value(targetToken)}`,
      "Content-Type": "application/json",
      Accept: "application/json"
    },
    body: JSON.stringify(body)
  })
})

const isRejection = (status: number): boolean => status >= 400 && status < 500 && status !== 408 && status !== 429

/** Cancels a transfer that the other instance rejected, and returns the problem of the request. */
const rejected = Effect.fnUntraced(function* (proof: Authorized<"server.transfer">, field: string, sentence: string) {
  yield* Effect.catchTag(cancel(proof), ["ServerNotFound", "TransferRefused"], () => Effect.void)
  return yield* new InvalidInput({ problems: { [field]: [sentence] } })
})

/** Has the other instance import the server. A rejection cancels the transfer, because nothing was imported. */
const importThere = Effect.fnUntraced(function* (
  proof: Authorized<"server.transfer">,
  input: MigrationInput,
  envelope: Envelope,
  passphrase: Redacted.Redacted
) {
  const body = { bundle: input.bodyOf(envelope), passphrase: Redacted.value(passphrase), claim: false }
  const answer = yield* Effect.catch(
    send(input, "/servers/import", body),
    Effect.fnUntraced(function* ({ because, refused }: HookUnsent) {
      if (!refused) return yield* unfinished("the target instance did not answer", because)
      return yield* rejected(proof, "target_url", `This instance does not send requests there: ${because}.`)
    })
  )
  const { status } = answer
  if (status === 201) return
  if (status === 401 || status === 403) {
    return yield* rejected(proof, "target_token", `The target instance rejects the token: ${reasonIn(answer.body)}`)
  }
  if (isRejection(status)) {
    const sentence = `The target instance rejects the server (${status}): ${reasonIn(answer.body)}`
    return yield* rejected(proof, "target_url", sentence)
  }
  return yield* unfinished(`the target instance answered with the status ${status}`, reasonIn(answer.body))
})

const claimThere = Effect.fnUntraced(function* (proof: Authorized<"server.transfer">, input: MigrationInput) {
  const path = `/servers/${proof.resource.server.uuid}/claim`
  const body = { write_remote: input.writesRemote, rebind_sentinel: input.rebindsSentinel }
  const answer = yield* Effect.catch(send(input, path, body), ({ because }: HookUnsent) =>
    unfinished("the target instance did not answer", because)
  )
  if (answer.status === 200) return
  return yield* unfinished(
    `the target instance imported the server, but did not claim it (${answer.status})`,
    reasonIn(answer.body)
  )
})

/**
 * Transfers a server to another instance in one request: begins the transfer, has the other instance import and claim the
 * server, and completes the transfer here.
 *
 * A repeated request continues an interrupted transfer. If the other instance rejects the server, the transfer is
 * cancelled.
 */
export const migrate = Effect.fnUntraced(function* (proof: Authorized<"server.transfer">, input: MigrationInput) {
  const passphrase = Redacted.make(yield* makeSecret)
  const envelope = yield* begin(proof, passphrase, input.targetUrl)
  yield* importThere(proof, input, envelope, passphrase)
  yield* claimThere(proof, input)
  return yield* complete(proof, { exportId: envelope.exportId, targetUrl: input.targetUrl })
})
