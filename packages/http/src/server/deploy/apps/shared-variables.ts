import { SharedVariables } from "@slipway/deploy/apps"
import type { SharedVariable } from "@slipway/domain/deploy/apps"
import { Effect, Redacted } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import {
  type SharedVariableChange,
  type SharedVariableCreation,
  SharedVariablesApi
} from "../../../api/deploy/apps/shared-variables.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { stampsOf } from "../base/show.ts"

class Api extends HttpApi.make("deploy").add(SharedVariablesApi).prefix("/api/v1") {}

const show = (variable: SharedVariable) => ({
  ...stampsOf(variable),
  type: variable.scope,
  key: variable.key,
  value: null,
  comment: variable.comment,
  is_literal: variable.isLiteral,
  is_multiline: variable.isMultiline,
  is_shown_once: variable.isShownOnce
})

const factsOf = ({ comment, is_literal, is_multiline, is_shown_once }: typeof SharedVariableChange.Type) => ({
  ...(is_literal === undefined ? {} : { isLiteral: is_literal }),
  ...(is_multiline === undefined ? {} : { isMultiline: is_multiline }),
  ...(is_shown_once === undefined ? {} : { isShownOnce: is_shown_once }),
  ...(comment === undefined ? {} : { comment })
})

const list = () =>
  toHttpErrors(
    Effect.gen(function* () {
      const proof = yield* granted("sharedVariable.list")
      return (yield* SharedVariables.list(proof)).map(show)
    })
  )

const create = ({ payload }: { readonly payload: typeof SharedVariableCreation.Type }) =>
  toHttpErrors(
    Effect.gen(function* () {
      const proof = yield* granted("sharedVariable.create")
      const input = { ...factsOf(payload), key: payload.key, value: Redacted.make(payload.value ?? "") }
      return show(yield* SharedVariables.create(proof, input))
    })
  )

const update = ({ payload }: { readonly payload: typeof SharedVariableChange.Type }) =>
  toHttpErrors(
    Effect.gen(function* () {
      const proof = yield* granted("sharedVariable.update")
      const input = {
        ...factsOf(payload),
        ...(payload.key === undefined ? {} : { key: payload.key }),
        ...(payload.value === undefined ? {} : { value: Redacted.make(payload.value ?? "") })
      }
      return show(yield* SharedVariables.update(proof, input))
    })
  )

const remove = () =>
  toHttpErrors(
    Effect.gen(function* () {
      const proof = yield* granted("sharedVariable.delete")
      yield* SharedVariables.remove(proof)
      return { message: "Shared variable deleted." }
    })
  )

/** The handlers of the variables that applications share. */
export const layerSharedVariables = HttpApiBuilder.group(Api, "sharedVariables", (handlers) =>
  handlers.handleAll({
    teamList: list,
    teamCreate: create,
    teamUpdate: update,
    teamRemove: remove,
    projectList: list,
    projectCreate: create,
    projectUpdate: update,
    projectRemove: remove,
    environmentList: list,
    environmentCreate: create,
    environmentUpdate: update,
    environmentRemove: remove,
    serverList: list,
    serverCreate: create,
    serverUpdate: update,
    serverRemove: remove
  })
)
