import type { Proof } from "@slipway/domain/forge/entry"
import type { ProtocolRecord } from "@slipway/domain/forge/identity"
import { signedInUser } from "@slipway/domain/forge/identity"
import { Effect, Schema } from "effect"
import { audited } from "../../base/events/record.ts"
import * as ProtocolRecords from "./ProtocolRecords.ts"

/** The model name under which the OpenID provider stores a user's consent to a client. */
export const grantModel = "Grant"

/** An OAuth2 client that a user authorized. */
export interface Grant {
  readonly id: number
  readonly clientId: string
  /** The client's name at the time of consent. */
  readonly name: string
  /** The granted scopes. */
  readonly scopes: ReadonlyArray<string>
}

/** The error for an id that is not among the user's consents. */
export class GrantNotFound extends Schema.TaggedError<GrantNotFound>()("GrantNotFound", { id: Schema.Number }) {}

const Payload = Schema.Struct({
  clientId: Schema.String,
  name: Schema.String,
  openid: Schema.optional(Schema.Struct({ scope: Schema.String }))
})
const read = Schema.decodeUnknownOption(Payload)

/** Converts a stored consent to a `Grant`; undefined if client id or name are missing. */
export const grantIn = ({ id, payload }: ProtocolRecord): Grant | undefined => {
  const found = read(payload)
  if (found._tag === "None") return undefined
  const { clientId, name, openid } = found.value
  return { id, clientId, name, scopes: (openid?.scope ?? "").split(" ").filter((each) => each !== "") }
}

/** Lists the OAuth2 clients that the caller authorized. */
export const list = Effect.fnUntraced(function* ({ resource }: Proof<"account.grant.list">) {
  const rows = yield* ProtocolRecords.ofUser(grantModel, signedInUser(resource).id)
  return rows.flatMap((row) => grantIn(row) ?? [])
})

/** Revokes the caller's consent to a client, with its tokens. */
export const end = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.grant.delete">, id: number) {
    const rows = yield* ProtocolRecords.ofUser(grantModel, signedInUser(resource).id)
    const hash = rows.find((row) => row.id === id)?.grant ?? null
    if (hash === null) return yield* new GrantNotFound({ id })
    yield* ProtocolRecords.endGrant(hash)
  }),
  (_, grant) => ({ details: { grant } })
)
