import { Variables } from "@slipway/deploy/apps"
import type { Application, Variable } from "@slipway/domain/deploy/apps"
import { type Authorized, authorize } from "@slipway/domain/deploy/entry"
import { Effect, Option, Redacted } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { type VariableBody, VariablesApi } from "../../../api/deploy/apps/variables.ts"
import { ProgramVersion } from "../../version.ts"
import { createdIn } from "../../wire/created.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { stampsOf } from "../base/show.ts"
import { versionOf } from "../base/versions.ts"

class Api extends HttpApi.make("deploy").add(VariablesApi).prefix("/api/v1") {}

const inputOf = ({ comment, key, value, ...flags }: typeof VariableBody.Type) => {
  const { is_buildtime, is_literal, is_multiline, is_preview, is_runtime, is_shown_once } = flags
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

const showWith = (application: Application, version: string, value: string | null) => (variable: Variable) => ({
  ...stampsOf(variable),
  key: variable.key,
  value,
  real_value: value,
  comment: variable.comment,
  resourceable_type: "application" as const,
  resourceable_id: application.id,
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

type Proof = Authorized<"application.read"> | Authorized<"application.update">

/**
 * Returns a function that shows variables of an application, with values if the caller may see secrets, except those
 * shown once.
 */
const showFor = Effect.fnUntraced(function* (
  { resource: { application, caller } }: Proof,
  variables: ReadonlyArray<Variable>
) {
  const version = yield* ProgramVersion
  const secrets = yield* Effect.option(authorize(caller, "application.secrets", { application }))
  const values = Option.isNone(secrets) ? undefined : yield* Variables.values(secrets.value, variables)
  return (variable: Variable) => showWith(application, version, values?.get(variable.uuid) ?? null)(variable)
})

const showAll = (proof: Proof, variables: ReadonlyArray<Variable>) =>
  Effect.map(showFor(proof, variables), (show) => variables.map(show))

const showOne = (proof: Proof, variable: Variable) => Effect.map(showFor(proof, [variable]), (show) => show(variable))

/** The handlers of environment variables. */
export const layerVariables = HttpApiBuilder.group(Api, "variables", (handlers) =>
  handlers.handleAll({
    list: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.read")
          return yield* showAll(proof, yield* Variables.list(proof))
        })
      ),
    create: ({ params, payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.update")
          const variable = yield* Variables.create(proof, inputOf(payload))
          return createdIn(`/api/v1/applications/${params.uuid}/envs`, variable)
        })
      ),
    update: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.update")
          return yield* showOne(proof, yield* Variables.update(proof, inputOf(payload)))
        })
      ),
    bulk: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.update")
          return yield* showAll(proof, yield* Variables.bulk(proof, payload.data.map(inputOf)))
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
