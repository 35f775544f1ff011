import { WorkShares } from "@slipway/domain"
import { largestMarkdown, Markdown, MarkdownRefused, type MarkdownSource } from "@slipway/domain/forge/collaboration"
import { makeThreads, type ThreadLimits, threadModule } from "@slipway/threads"
import { Duration, Effect, Layer } from "effect"
import type { Rendered } from "./thread.ts"

/** The default limits of rendering; a large but normal text takes a tenth of the timeout. */
const ordinary: ThreadLimits = {
  threads: 2,
  timeout: Duration.seconds(3),
  memory: 256,
  shares: Effect.service(WorkShares)
}

const tooMuch = () => new MarkdownRefused({ problem: "takes too long to render, or its output is too large" })

const isTooLarge = ({ text }: MarkdownSource) =>
  text.length > largestMarkdown || new TextEncoder().encode(text).length > largestMarkdown

/** Layer that renders Markdown with markdown-it in worker threads, and sanitizes the HTML with sanitize-html. */
export const layerMarkdown = (timeout: Duration.Input = ordinary.timeout): Layer.Layer<Markdown> =>
  Layer.effect(
    Markdown,
    Effect.map(
      makeThreads<MarkdownSource, Rendered>(threadModule(import.meta.url, "thread"), { ...ordinary, timeout }),
      (rendered) => ({
        render: (source) =>
          Effect.gen(function* () {
            if (isTooLarge(source)) {
              return yield* new MarkdownRefused({ problem: `must have at most ${largestMarkdown} bytes` })
            }
            const { html } = yield* Effect.mapError(rendered(source), tooMuch)
            return html ?? (yield* tooMuch())
          })
      })
    )
  )
