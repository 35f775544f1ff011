import { Worker } from "node:worker_threads"
import { largestMarkdown, Markdown, MarkdownRefused, type MarkdownSource } from "@slipway/domain/forge"
import { Duration, Effect, Layer, Semaphore } from "effect"
import type { Answer } from "./worker.ts"

/** How many texts are rendered at once, each in a thread of its own. */
const threads = 2
/** How long a text may take; a large one of an ordinary kind takes a tenth of it. */
const ordinaryPatience = Duration.seconds(3)

const tooMuch = () => new MarkdownRefused({ problem: "takes too long to render, or makes too much of it" })

// Sources run under Node as they are, and a thread takes no settings from the tests around it.
const isSource = import.meta.url.endsWith(".ts")
const start = () => {
  const worker = new Worker(new URL(isSource ? "./worker.ts" : "./worker.js", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
    ...(isSource ? { execArgv: ["--conditions=@slipway/source"] } : {})
  })
  // A thread that waits keeps no program from ending.
  worker.unref()
  return worker
}

/** Waits for what a thread says next; it may end instead, for want of memory above all. */
const next = (worker: Worker) =>
  Effect.callback<Answer, MarkdownRefused>((resume) => {
    const deaf = () => worker.off("message", said).off("error", failed).off("exit", ended)
    const finish = (exit: Effect.Effect<Answer, MarkdownRefused>) => {
      deaf()
      resume(exit)
    }
    const said = (answer: Answer) => finish(Effect.succeed(answer))
    const ended = () => finish(Effect.fail(tooMuch()))
    const failed = (error: NodeJS.ErrnoException) =>
      finish(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? Effect.fail(tooMuch()) : Effect.die(error))
    worker.on("message", said).on("error", failed).on("exit", ended)
    return Effect.sync(deaf)
  })

const isTooLarge = ({ text }: MarkdownSource) =>
  text.length > largestMarkdown || new TextEncoder().encode(text).length > largestMarkdown

/**
 * Renders Markdown with the markdown-it library, and cleans what comes of it with sanitize-html.
 *
 * It happens in threads, which are started for the first texts and ended with one that takes too long.
 */
export const layerMarkdown = (timeout: Duration.Input = ordinaryPatience): Layer.Layer<Markdown> =>
  Layer.effect(
    Markdown,
    Effect.gen(function* () {
      const turns = Semaphore.makeUnsafe(threads)
      const idle: Array<Worker> = []
      const end = (worker: Worker) => Effect.promise(() => worker.terminate())
      yield* Effect.addFinalizer(() => Effect.forEach(idle, end))

      const ready = Effect.suspend(() => {
        const present = idle.pop()
        if (present !== undefined) return Effect.succeed(present)
        const made = start()
        return Effect.as(next(made), made).pipe(Effect.onError(() => end(made)))
      })

      const ask = (worker: Worker, source: MarkdownSource) =>
        Effect.suspend(() => {
          const answer = next(worker)
          return Effect.andThen(
            Effect.sync(() => worker.postMessage(source)),
            answer
          )
        }).pipe(
          Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail(tooMuch()) }),
          // One that is still at work, or broken, is never asked again.
          Effect.onError(() => end(worker)),
          Effect.tap(() => Effect.sync(() => idle.push(worker)))
        )

      return {
        render: (source) =>
          Effect.gen(function* () {
            if (isTooLarge(source)) {
              return yield* new MarkdownRefused({ problem: `must have at most ${largestMarkdown} bytes` })
            }
            const answer = yield* turns.withPermit(Effect.flatMap(ready, (worker) => ask(worker, source)))
            return typeof answer === "object" ? answer.html : yield* tooMuch()
          })
      }
    })
  )
