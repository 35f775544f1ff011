import { Worker } from "node:worker_threads"
import { Data, type Duration, Effect, type Scope } from "effect"
import { makeFairQueue } from "./FairQueue.ts"
import type { Said } from "./thread.ts"

/** Reports that a question was not answered in its time, or that its answer took more memory than a thread has. */
export class ThreadExhausted extends Data.TaggedError("ThreadExhausted")<{ readonly of: "memory" | "time" }> {}

/** What threads may take. */
export interface ThreadLimits {
  /** Maximum number of questions answered concurrently, each in a separate thread. */
  readonly threads: number
  /** How long an answer may take; a thread that takes longer is ended. */
  readonly timeout: Duration.Input
  /** How many mebibytes the objects of one thread may fill. */
  readonly memory: number
  /**
   * The keys that the running work is for: threads are shared fairly among them. Without it, all questions have one
   * share.
   */
  readonly shares?: Effect.Effect<ReadonlyArray<string>> | undefined
}

/** The milliseconds after which an idle thread is stopped. */
const longestIdle = 60_000

/**
 * Returns the URL of a thread's module next to the calling module, by its name without an extension.
 *
 * Node runs sources directly. `beside` is `import.meta.url` of the calling module.
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
 * Makes a pool of threads for a module that calls `answerEach`: long work in one thread delays no other caller.
 *
 * Waiting questions are scheduled fairly by key, so that many questions for one key delay no other key (invariant I25).
 * Questions and answers are copied as `structuredClone` does. Threads start on demand; a failed thread is stopped and
 * not reused, and all threads stop with the scope.
 */
export const makeThreads = <Question, Answer>(
  module: URL,
  { memory, shares = Effect.succeed([]), threads, timeout }: ThreadLimits
): Effect.Effect<(question: Question) => Effect.Effect<Answer, ThreadExhausted>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const turns = makeFairQueue(threads)
    const idle = new Map<Worker, NodeJS.Timeout>()
    // V8 stops a thread at its next function call; there is no need to wait for that.
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
      // An error in an idle thread stops only that thread, which isn't used again.
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
          "answer" in said
            ? Effect.succeed(said.answer)
            : Effect.die(new Error("a thread reported twice that it is ready"))
        )
      )

    return (question) =>
      Effect.flatMap(shares, (keys) => turns.withTurn(keys)(Effect.flatMap(ready, (worker) => ask(worker, question))))
  })
