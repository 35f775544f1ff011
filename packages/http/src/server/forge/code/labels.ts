import { numberIn } from "@slipway/domain/forge/entry"
import { Labels } from "@slipway/forge/code"
import { labelEndpoints } from "../../../api/forge/identity/organizations.ts"
import { renameFields, showLabelOf } from "../base/show.ts"
import { handle } from "../entry/handle.ts"

const names = { is_archived: "archived" } as const

/** The handlers of the labels of organizations. */
export const layerLabels = handle(
  labelEndpoints,
  {
    "organization.label.list": ({ page, proof }) => Labels.list(proof, page),
    "organization.label.create": ({ body, proof }) => Labels.create(proof, renameFields(body, names)),
    "organization.label.read": ({ params, proof }) => Labels.read(proof, numberIn(params.id)),
    "organization.label.edit": ({ body, params, proof }) =>
      Labels.edit(proof, numberIn(params.id), renameFields(body, names)),
    "organization.label.delete": ({ params, proof }) => Labels.remove(proof, numberIn(params.id))
  },
  { showTo: showLabelOf }
)
