import type { Checkout } from "@slipway/domain/deploy/apps"
import { describeChange, describeProblems, lineOfChange, manifestFile } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"
import { actorOf } from "../../apps/deliveries/actor.ts"
import { linkOf } from "../../apps/forge-links/link.ts"
import { reread } from "../manifest/apply.ts"
import { applyPlan, planText } from "../manifest/Manifests.ts"
import { type DeployContext, fail, logLines } from "./deployContext.ts"

/**
 * Applies the manifest (`slipway.yaml`) of a checkout to its application before the build. Returns the context with the
 * changed application.
 *
 * For a preview, it does nothing, because everyone with push access to its branch can change the manifest. Fails with
 * the problems of the manifest, before any change; if a change itself fails, the earlier ones stay.
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
  const caller = yield* actorOf(application)
  if (caller === undefined) {
    return yield* fail(`${manifestFile}: the account that set up automatic deployments is disabled`)
  }
  const applying = { caller, application, linked, commit: checkout.commit }
  const problems = yield* applyPlan(applying, planned)
  if (problems.length > 0) return yield* fail(describeProblems(problems))
  return { ...context, application: yield* reread(applying) } satisfies DeployContext
})
