import { Labels } from "@slipway/domain/forge"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { LabelsApi } from "../../api/forge/organizations.ts"
import { saidIn } from "../../api/forge/schemas.ts"
import { onTheWire } from "./errors.ts"
import { granted, numberIn } from "./guard.ts"
import { answerPage } from "./pages.ts"
import { renamed, showLabelOf } from "./show.ts"

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
      onTheWire(
        Effect.gen(function* () {
          const proof = yield* granted("organization.label.create")
          const show = yield* showLabelOf(proof.resource.organization)
          return show(yield* Labels.create(proof, renamed(saidIn(payload), names)))
        })
      ),
    read: ({ params }) =>
      onTheWire(
        Effect.gen(function* () {
          const proof = yield* granted("organization.label.read")
          const show = yield* showLabelOf(proof.resource.organization)
          return show(yield* Labels.read(proof, numberIn(params.id)))
        })
      ),
    edit: ({ params, payload }) =>
      onTheWire(
        Effect.gen(function* () {
          const proof = yield* granted("organization.label.edit")
          const show = yield* showLabelOf(proof.resource.organization)
          return show(yield* Labels.edit(proof, numberIn(params.id), renamed(saidIn(payload), names)))
        })
      ),
    delete: ({ params }) =>
      onTheWire(
        Effect.flatMap(granted("organization.label.delete"), (proof) => Labels.remove(proof, numberIn(params.id)))
      )
  })
)
