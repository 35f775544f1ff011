import type { Checkout } from "@slipway/domain/deploy/apps"
import { describeChange, describeProblems, lineOfChange, manifestFile } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"
import { linkOf } from "../../apps/forge-links/link.ts"
import { reread } from "../manifest/apply.ts"
import { applyPlan, planText } from "../manifest/Manifests.ts"
import { callerFor } from "../manifest/rights.ts"
import { type DeployContext, fail, logLines } from "./deployContext.ts"

/**
 * Applies the manifest (`slipway.yaml`) of a checkout to its application before the build. Returns the context with the
 * changed application.
 *
 * For a preview, it does nothing, because everyone with push access to its branch can change the manifest. Fails with
 * the problems of the manifest, or if the person who pushed may not make its changes, before any change; if a change
 * itself fails, the earlier ones stay.
 */
export const withManifest = Effect.fnUntraced(function* (context: DeployContext, checkout: Checkout) {
  const { application, deployment, preview } = context
  if (preview !== null) return context
  const linked = yield* linkOf(application)
  const text = linked === undefined ? undefined : yield* checkout.readText(manifestFile)
  if (linked === undefined || text === undefined) return context
  const planned = yield* planText(application, linked, text, { isSensitive: true, prune: false })
  if (planned.problems.length > 0) return yield* fail(describeProblems(planned.problems))
  yield* logLines(
    deployment,
    planned.changes.map((change) => `${manifestFile}: ${lineOfChange(describeChange(change))}`)
  )
  const caller = yield* callerFor(deployment, application, linked, planned.changes)
  if (typeof caller === "string") return yield* fail(caller)
  const { pusher, requestedBy } = deployment
  const applying = { caller, application, linked, commit: checkout.commit, pusher, requestedBy }
  const problems = yield* applyPlan(applying, planned)
  if (problems.length > 0) return yield* fail(describeProblems(problems))
  return { ...context, application: yield* reread(applying) } satisfies DeployContext
})
