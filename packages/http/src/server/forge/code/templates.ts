import { labelTemplates, Templates } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import { templateEndpoints } from "../../../api/forge/code/templates.ts"
import { handle, orMissing } from "../entry/handle.ts"

/** Sets the name of a license to its key: Gitea clients send the name when they create a repository with a license. */
const named = <L extends { readonly key: string }>(license: L) => ({ ...license, name: license.key })

/** The handlers of templates for new repositories. */
export const layerTemplates = handle(templateEndpoints, {
  "license.list": () => Effect.map(Templates, ({ licenses }) => licenses.map(named)),
  "license.read": ({ params }) =>
    Effect.flatMap(Templates, ({ license }) => Effect.map(orMissing(license(params.name)), named)),
  "gitignore-template.list": () => Effect.map(Templates, ({ gitignores }) => gitignores),
  "gitignore-template.read": ({ params: { name } }) =>
    Effect.gen(function* () {
      return { name, source: yield* orMissing((yield* Templates).gitignore(name)) }
    }),
  "label-template.list": () => Effect.succeed(Object.keys(labelTemplates)),
  "label-template.read": ({ params: { name } }) =>
    orMissing(Object.hasOwn(labelTemplates, name) ? labelTemplates[name] : undefined)
})
