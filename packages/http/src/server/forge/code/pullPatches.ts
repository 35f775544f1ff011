import { PullChanges } from "@slipway/forge/collaboration"
import { Effect } from "effect"
import { weakTagOf } from "../../wire/tags.ts"
import { streamAnswer, unlessCached } from "../base/conditional.ts"

/** Returns the handler that streams the changes of a pull request as one diff, or as one email patch per commit. */
export const textOf = (style: "diff" | "mails") =>
  Effect.fnUntraced(function* ({
    proof,
    request
  }: {
    readonly proof: Parameters<typeof PullChanges.text>[0]
    readonly request: Parameters<typeof unlessCached>[0]
  }) {
    const { from, text, to } = yield* PullChanges.text(proof, style)
    return yield* unlessCached(
      request,
      weakTagOf(from, to, style),
      streamAnswer(text, { contentType: "text/plain; charset=utf-8" })
    )
  })
