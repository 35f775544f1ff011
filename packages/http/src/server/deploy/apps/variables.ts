import { Variables } from "@slipway/deploy/apps"
import type { Variable } from "@slipway/domain/deploy/apps"
import { type Authorized, authorize, type NotAuthorized } from "@slipway/domain/deploy/entry"
import { Effect, Option, Redacted } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { type DatabaseVariableBody, type VariableBody, VariablesApi } from "../../../api/deploy/apps/variables.ts"
import { ProgramVersion } from "../../version.ts"
import { createdIn } from "../../wire/locationHeader.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { stampsOf } from "../base/show.ts"
import { versionOf } from "../base/versions.ts"

class Api extends HttpApi.make("deploy").add(VariablesApi).prefix("/api/v1") {}

/** Converts a variable in a request body to the input of the use case. */
export const variableInput = ({
  comment,
  key,
  value,
  ...flags
}: typeof VariableBody.Type | typeof DatabaseVariableBody.Type) => {
  const {
    is_build_time,
    is_buildtime = is_build_time,
    is_literal,
    is_multiline,
    is_preview,
    is_runtime,
    is_shown_once
  }: Partial<typeof VariableBody.Type> = flags
  return {
    key,
    value: Redacted.make(value),
    ...(is_literal === undefined ? {} : { isLiteral: is_literal }),
    ...(is_multiline === undefined ? {} : { isMultiline: is_multiline }),
    ...(is_shown_once === undefined ? {} : { isShownOnce: is_shown_once }),
    ...(is_preview === undefined ? {} : { isPreview: is_preview }),
    ...(is_buildtime === undefined ? {} : { isBuildtime: is_buildtime }),
    ...(is_runtime === undefined ? {} : { isRuntime: is_runtime }),
    ...(comment === undefined ? {} : { comment })
  }
}

/** The proof (result of the authorization) of a request that returns variables or storages of a resource. */
export type OwnerProof = Authorized<
  "application.read" | "application.update" | "database.read" | "database.update" | "service.read" | "service.update"
>

/** Returns the type and the numeric id of the resource that has the variables. */
const ownerOf = (resource: OwnerProof["resource"]) => {
  if ("database" in resource) return { type: "database", id: resource.database.id } as const
  return { type: "service" in resource ? "service" : "application", id: resource.application.id } as const
}

const showWith =
  (owner: ReturnType<typeof ownerOf>, version: string, value: string | null) => (variable: Variable) => ({
    ...stampsOf(variable),
    key: variable.key,
    value,
    real_value: value,
    comment: variable.comment,
    resourceable_type: owner.type,
    resourceable_id: owner.id,
    is_shared: false as const,
    resourceable_uuid: variable.applicationUuid,
    is_buildtime: variable.isBuildtime,
    is_runtime: variable.isRuntime,
    is_literal: variable.isLiteral,
    is_multiline: variable.isMultiline,
    is_shown_once: variable.isShownOnce,
    is_preview: variable.isPreview,
    version: versionOf(version)
  })

/** Authorizes the caller to see the secrets of a resource; fails with `NotAuthorized` otherwise. */
export const mayReadSecrets = (
  resource: OwnerProof["resource"]
): Effect.Effect<Authorized<"application.secrets" | "database.secrets" | "service.secrets">, NotAuthorized> => {
  if ("database" in resource) {
    return authorize(resource.caller, "database.secrets", { database: resource.database })
  }
  return "service" in resource
    ? authorize(resource.caller, "service.secrets", { service: resource.service, application: resource.application })
    : authorize(resource.caller, "application.secrets", { application: resource.application })
}

/**
 * Returns a function that converts a variable to its API response.
 *
 * Values are included if the caller has permission to see secrets, except for variables with `is_shown_once`.
 */
const showFor = Effect.fnUntraced(function* ({ resource }: OwnerProof, variables: ReadonlyArray<Variable>) {
  const version = yield* ProgramVersion
  const secrets = yield* Effect.option(mayReadSecrets(resource))
  const values = Option.isNone(secrets) ? undefined : yield* Variables.values(secrets.value, variables)
  return (variable: Variable) => showWith(ownerOf(resource), version, values?.get(variable.uuid) ?? null)(variable)
})

/** Converts variables of an application, a database or a service to API responses. */
export const showVariables = (proof: OwnerProof, variables: ReadonlyArray<Variable>) =>
  Effect.map(showFor(proof, variables), (show) => variables.map(show))

/** Converts one variable of an application, a database or a service to its API response. */
export const showVariable = (proof: OwnerProof, variable: Variable) =>
  Effect.map(showFor(proof, [variable]), (show) => show(variable))

/** The handlers of environment variables. */
export const layerVariables = HttpApiBuilder.group(Api, "variables", (handlers) =>
  handlers.handleAll({
    list: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.read")
          return yield* showVariables(proof, yield* Variables.list(proof))
        })
      ),
    create: ({ params, payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.update")
          const variable = yield* Variables.create(proof, variableInput(payload))
          return createdIn(`/api/v1/applications/${params.uuid}/envs`, variable)
        })
      ),
    update: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.update")
          return yield* showVariable(proof, yield* Variables.update(proof, variableInput(payload)))
        })
      ),
    bulk: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.update")
          return yield* showVariables(proof, yield* Variables.bulk(proof, payload.data.map(variableInput)))
        })
      ),
    remove: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.variable.delete")
          yield* Variables.remove(proof)
          return { message: "Environment variable deleted." }
        })
      )
  })
)
