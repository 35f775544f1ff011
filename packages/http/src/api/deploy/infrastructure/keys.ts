import { text } from "@slipway/domain/deploy/apps"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { sameFields } from "../base/coolifyFields.ts"
import { BadRequestBody, bodyErrors, ConflictBody, NotFoundBody } from "../base/errors.ts"
import { createdAnswer, Description, listOf, Message, Name, pageQuery, stamps } from "../base/schemas.ts"

/** A private key as returned by the API, without its private half. */
export const PrivateKey = Schema.Struct({
  ...stamps,
  name: Schema.String,
  description: Schema.String,
  team_id: Schema.Number,
  public_key: Schema.String,
  fingerprint: Schema.String,
  ...sameFields.key
}).annotate({ identifier: "PrivateKey" })

/** The SSH host key that a machine had at the first connection; later connections must show the same key. */
const HostKey = Schema.Struct({ address: Schema.String, fingerprint: Schema.String })

const uuid = { uuid: Schema.String }
const Secret = text(20_000)

/** The endpoints of private keys. */
export class KeysApi extends HttpApiGroup.make("keys")
  .add(
    HttpApiEndpoint.get("list", "/security/keys", {
      query: pageQuery,
      success: listOf(PrivateKey),
      error: BadRequestBody
    })
      .annotate(OpenApi.Summary, "List private keys")
      .pipe(access("key.list")),
    HttpApiEndpoint.post("create", "/security/keys", {
      payload: Schema.Struct({
        name: Schema.optionalKey(Name),
        description: Schema.optionalKey(Description),
        private_key: Schema.optionalKey(Secret)
      }),
      success: createdAnswer,
      error: bodyErrors
    })
      .annotate(
        OpenApi.Summary,
        "Store a private key, or generate one if it is omitted; its private half is never returned"
      )
      .pipe(access("key.create")),
    HttpApiEndpoint.get("get", "/security/keys/:uuid", { params: uuid, success: PrivateKey, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Read the public half of a key")
      .pipe(access("key.read")),
    HttpApiEndpoint.patch("update", "/security/keys/:uuid", {
      params: uuid,
      payload: Schema.Struct({
        name: Schema.optionalKey(Name),
        description: Schema.optionalKey(Description),
        private_key: Schema.optionalKey(Secret)
      }),
      success: PrivateKey,
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Change a key")
      .pipe(access("key.update")),
    HttpApiEndpoint.patch("describe", "/security/keys", {
      payload: Schema.Struct({
        name: Schema.optionalKey(Name),
        description: Schema.optionalKey(Description),
        private_key: Secret
      }),
      success: Schema.Struct({ uuid: Schema.String }).pipe(HttpApiSchema.status(201)),
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Find the key with a given private half")
      .pipe(access("key.describe")),
    HttpApiEndpoint.delete("delete", "/security/keys/:uuid", {
      params: uuid,
      success: Message,
      error: [NotFoundBody, ConflictBody]
    })
      .annotate(OpenApi.Summary, "Delete an unused key")
      .pipe(access("key.delete")),
    HttpApiEndpoint.get("listHostKeys", "/security/host-keys", { success: Schema.Array(HostKey) })
      .annotate(OpenApi.Summary, "List the SSH host keys of machines with repositories")
      .pipe(access("hostKey.read")),
    HttpApiEndpoint.delete("forgetHostKey", "/security/host-keys/:address", {
      params: { address: Schema.String },
      success: Message,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Forget a host key, so that the machine's next key is trusted")
      .pipe(access("hostKey.forget"))
  )
  .annotate(OpenApi.Description, "SSH keys for servers and repositories.") {}
