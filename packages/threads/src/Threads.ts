import { Worker } from "node:worker_threads"
import { Data, type Duration, Effect, type Scope } from "effect"
import { makeFairQueue } from "./FairQueue.ts"
import type { Said } from "./thread.ts"

/** Reports that a question was not answered in its time, or that its answer took more memory than a thread has. */
export class ThreadExhausted extends Data.TaggedError("ThreadExhausted")<{ readonly of: "memory" | "time" }> {}

/** What threads may take. */
export interface ThreadLimits {
  /** How many questions are answered at once, each by a thread of its own. */
  readonly threads: number
  /** How long an answer may take; a thread that takes longer is ended. */
  readonly timeout: Duration.Input
  /** How many mebibytes the objects of one thread may fill. */
  readonly memory: number
  /** For whom the running work is done: threads are shared fairly by these keys. Without it, all questions have one share. */
  readonly shares?: Effect.Effect<ReadonlyArray<string>> | undefined
}

/** After how many milliseconds a thread that nobody asks anything is ended. */
const longestIdle = 60_000

/**
 * Returns the module of a thread that lies beside the one that asks, by its name without an ending.
 *
 * Sources run under Node as they are; `beside` is `import.meta.url` of the module that asks.
 */
export const threadModule = (beside: string, name: string): URL =>
  new URL(`./${name}${beside.endsWith(".ts") ? ".ts" : ".js"}`, beside)

const start = (module: URL, memory: number): Worker => {
  const worker = new Worker(module, {
    resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: 32 },
    // A thread takes no settings from the tests around it.
    ...(module.pathname.endsWith(".ts") ? { execArgv: ["--conditions=@slipway/source"] } : {})
  })
  // A thread that waits keeps no program from ending.
  worker.unref()
  return worker
}

/** Waits for what a thread says next; it may end instead, for want of memory. */
const next = <Answer>(worker: Worker) =>
  Effect.callback<Said<Answer>, ThreadExhausted>((resume) => {
    const exhausted = Effect.fail(new ThreadExhausted({ of: "memory" }))
    const deaf = () => worker.off("message", said).off("error", failed).off("exit", ended)
    const finish = (exit: Effect.Effect<Said<Answer>, ThreadExhausted>) => {
      deaf()
      resume(exit)
    }
    const said = (answer: Said<Answer>) => finish(Effect.succeed(answer))
    const ended = () => finish(exhausted)
    const failed = (error: NodeJS.ErrnoException) =>
      finish(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? exhausted : Effect.die(error))
    worker.on("message", said).on("error", failed).on("exit", ended)
    return Effect.sync(deaf)
  })

/**
 * Makes what asks threads, whose module calls `answerEach`: nobody else waits while one works, however long that takes.
 *
 * Questions that wait have their turn fairly by whom they are for, so that many questions of one delay nobody else's (invariant I25).
 * Questions and answers are copied as `structuredClone` does. Threads are started when they are needed; one that fails is ended and
 * never asked again, and all are with the scope.
 */
export const makeThreads = <Question, Answer>(
  module: URL,
  { memory, shares = Effect.succeed([]), threads, timeout }: ThreadLimits
): Effect.Effect<(question: Question) => Effect.Effect<Answer, ThreadExhausted>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const turns = makeFairQueue(threads)
    const idle = new Map<Worker, NodeJS.Timeout>()
    // V8 ends a thread at its next call of a function, for which nobody waits.
    const end = (worker: Worker) => Effect.sync(() => void worker.terminate())
    const rouse = (worker: Worker) => {
      clearTimeout(idle.get(worker))
      idle.delete(worker)
    }
    const rest = (worker: Worker) => {
      const ending = () => {
        rouse(worker)
        void worker.terminate()
      }
      idle.set(worker, setTimeout(ending, longestIdle).unref())
    }
    const endIdle = Effect.promise(() => Promise.all([...idle.keys()].map((each) => each.terminate())))
    yield* Effect.addFinalizer(() => endIdle)

    const ready = Effect.suspend(() => {
      // The one that rested last, so that the others may end.
      const present = [...idle.keys()].at(-1)
      if (present !== undefined) {
        rouse(present)
        return Effect.succeed(present)
      }
      const made = start(module, memory)
      // What breaks while nobody asks it ends nothing but the thread, which isn't asked again.
      made.on("error", () => rouse(made)).on("exit", () => rouse(made))
      return Effect.as(next(made), made).pipe(Effect.onError(() => end(made)))
    })

    const ask = (worker: Worker, question: Question) =>
      Effect.suspend(() => {
        const said = next<Answer>(worker)
        return Effect.andThen(
          Effect.sync(() => worker.postMessage(question)),
          said
        )
      }).pipe(
        Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail(new ThreadExhausted({ of: "time" })) }),
        // One that is still at work, or broken, is never asked again.
        Effect.onError(() => end(worker)),
        Effect.tap(() => Effect.sync(() => rest(worker))),
        Effect.flatMap((said) =>
          "answer" in said ? Effect.succeed(said.answer) : Effect.die(new Error("a thread said twice that it is ready"))
        )
      )

    return (question) =>
      Effect.flatMap(shares, (keys) => turns.withTurn(keys)(Effect.flatMap(ready, (worker) => ask(worker, question))))
  })
