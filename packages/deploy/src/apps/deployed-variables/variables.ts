import type { Variable } from "@slipway/domain/deploy/apps"
import { originalOf, previewAs, VariableStore } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { Effect } from "effect"

const plain = (all: ReadonlyArray<Variable>) => all.filter(({ isPreview }) => !isPreview)

/**
 * Reads the variables of a deployment, in insertion order.
 *
 * A preview gets its own variables and the application's variables with `is_preview`; its own take precedence. It never
 * gets the variables for regular deployments of the application (invariant I21: previews run untrusted code). The copy
 * of an application at an additional destination gets the variables of the application.
 */
export const deployedVariables = Effect.fnUntraced(function* (application: ApplicationUuid) {
  const store = yield* VariableStore
  const original = yield* originalOf(application)
  if (original !== undefined) return plain(yield* store.ofApplication(original))
  const own = plain(yield* store.ofApplication(application))
  const preview = yield* previewAs(application)
  if (preview === undefined) return own
  const names = new Set(own.map(({ key }) => key))
  const previewVariables = (yield* store.ofApplication(preview.applicationUuid)).filter(
    ({ isPreview, key }) => isPreview && !names.has(key)
  )
  return [...previewVariables, ...own]
})
