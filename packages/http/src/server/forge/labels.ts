import { Labels } from "@slipway/domain/forge"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { LabelsApi } from "../../api/forge/organizations.ts"
import { withoutNulls } from "../../api/forge/schemas.ts"
import { toHttpErrors } from "./errors.ts"
import { granted, numberIn } from "./guard.ts"
import { answerPage } from "./pages.ts"
import { renameFields, showLabelOf } from "./show.ts"

class Api extends HttpApi.make("forge").add(LabelsApi).prefix("/api/v1") {}

const names = { is_archived: "archived" } as const

/** The handlers of the labels of organizations. */
export const layerLabels = HttpApiBuilder.group(Api, "labels", (handlers) =>
  handlers.handleAll({
    list: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("organization.label.list")
        const show = yield* showLabelOf(proof.resource.organization)
        return yield* answerPage(query, (page) => Labels.list(proof, page), show)
      }),
    create: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("organization.label.create")
          const show = yield* showLabelOf(proof.resource.organization)
          return show(yield* Labels.create(proof, renameFields(withoutNulls(payload), names)))
        })
      ),
    read: ({ params }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("organization.label.read")
          const show = yield* showLabelOf(proof.resource.organization)
          return show(yield* Labels.read(proof, numberIn(params.id)))
        })
      ),
    edit: ({ params, payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("organization.label.edit")
          const show = yield* showLabelOf(proof.resource.organization)
          return show(yield* Labels.edit(proof, numberIn(params.id), renameFields(withoutNulls(payload), names)))
        })
      ),
    delete: ({ params }) =>
      toHttpErrors(
        Effect.flatMap(granted("organization.label.delete"), (proof) => Labels.remove(proof, numberIn(params.id)))
      )
  })
)
