import { line, lineThat, nonEmpty } from "@slipway/domain/deploy/apps"
import { registryOf } from "@slipway/domain/deploy/containers"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { BadRequestBody, bodyErrors, ConflictBody, NotFoundBody } from "../base/errors.ts"
import { createdAnswer, Description, listOf, Message, Name, pageQuery, stamps } from "../base/schemas.ts"

const Place = nonEmpty(
  lineThat(
    (value) => !value.includes("://") && registryOf(value) !== undefined,
    "Must be the host of a registry, such as registry.example:5000, or a namespace in it, such as ghcr.io/acme.",
    255
  )
)
// Basic authentication ends the name at the first colon.
const Username = nonEmpty(lineThat((value) => !value.includes(":"), "Must not contain a colon.", 255))
const Password = nonEmpty(line(10_000))

/** Credentials for a registry as returned by the API, without the password. */
export const Registry = Schema.Struct({
  ...stamps,
  name: Schema.String,
  description: Schema.String,
  registry: Schema.String,
  username: Schema.String,
  team_id: Schema.Number
}).annotate({ identifier: "Registry" })

/** The request body that stores credentials for a registry. */
export const RegistryCreation = Schema.Struct({
  name: Schema.optionalKey(Name),
  description: Schema.optionalKey(Description),
  registry: Place,
  username: Username,
  password: Password
})

/** The request body that changes credentials for a registry. */
export const RegistryChange = Schema.Struct({
  name: Schema.optionalKey(Name),
  description: Schema.optionalKey(Description),
  registry: Schema.optionalKey(Place),
  username: Schema.optionalKey(Username),
  password: Schema.optionalKey(Password)
})

const all = "/registries"
const path = "/registries/:uuid"
const uuid = { uuid: Schema.String }

/** The endpoints of credentials for registries. */
export class RegistriesApi extends HttpApiGroup.make("registries")
  .add(
    HttpApiEndpoint.get("list", all, { query: pageQuery, success: listOf(Registry), error: BadRequestBody })
      .annotate(OpenApi.Summary, "List credentials for registries")
      .pipe(access("registry.list")),
    HttpApiEndpoint.post("create", all, {
      payload: RegistryCreation,
      success: createdAnswer,
      error: [...bodyErrors, ConflictBody]
    })
      .annotate(OpenApi.Summary, "Store credentials for a registry, for pulling and pushing images")
      .pipe(access("registry.create")),
    HttpApiEndpoint.get("get", path, { params: uuid, success: Registry, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Read credentials for a registry, without the password")
      .pipe(access("registry.read")),
    HttpApiEndpoint.patch("update", path, {
      params: uuid,
      payload: RegistryChange,
      success: Registry,
      error: [...bodyErrors, NotFoundBody, ConflictBody]
    })
      .annotate(OpenApi.Summary, "Change credentials for a registry")
      .pipe(access("registry.update")),
    HttpApiEndpoint.delete("delete", path, { params: uuid, success: Message, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Delete credentials for a registry")
      .pipe(access("registry.delete"))
  )
  .annotate(OpenApi.Description, "Credentials of the team for container registries.") {}
