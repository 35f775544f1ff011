import { Worker } from "node:worker_threads"
import { Data, type Duration, Effect, type Scope } from "effect"
import { makeFairQueue } from "./FairQueue.ts"
import type { ThreadMessage } from "./thread.ts"

/** A request exceeded the timeout or the memory limit of a worker thread. */
export class ThreadExhausted extends Data.TaggedError("ThreadExhausted")<{ readonly of: "memory" | "time" }> {}

/** The limits of a pool of worker threads. */
export interface ThreadLimits {
  /** The maximum number of worker threads. Each processes one request at a time. */
  readonly threads: number
  /** The timeout of a request. A worker thread that exceeds it is terminated. */
  readonly timeout: Duration.Input
  /** The heap limit of one thread, in MiB. */
  readonly memory: number
  /**
   * Returns the keys (such as users) of the current request, among which threads are shared fairly.
   *
   * If omitted, all requests have the same key.
   */
  readonly shares?: Effect.Effect<ReadonlyArray<string>> | undefined
}

/** The time in milliseconds after which an idle worker thread is stopped. */
const longestIdle = 60_000

/**
 * Returns the URL of the module of a worker thread, from its name without an extension. The module is in the folder of
 * the calling module.
 *
 * `beside` is `import.meta.url` of the calling module. The extension is `.ts` if Node runs the sources directly.
 */
export const threadModule = (beside: string, name: string): URL =>
  new URL(`./${name}${beside.endsWith(".ts") ? ".ts" : ".js"}`, beside)

const start = (module: URL, memory: number): Worker => {
  const worker = new Worker(module, {
    resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: 32 },
    // A thread does not inherit the Node flags of a test process.
    ...(module.pathname.endsWith(".ts") ? { execArgv: ["--conditions=@slipway/source"] } : {})
  })
  // An idle thread does not keep the process alive.
  worker.unref()
  return worker
}

/**
 * Waits for the next message of a worker thread. Fails if the thread exits, for example because it is out of memory.
 */
const next = <Answer>(worker: Worker) =>
  Effect.callback<ThreadMessage<Answer>, ThreadExhausted>((resume) => {
    const exhausted = Effect.fail(new ThreadExhausted({ of: "memory" }))
    const deaf = () => worker.off("message", said).off("error", failed).off("exit", ended)
    const finish = (exit: Effect.Effect<ThreadMessage<Answer>, ThreadExhausted>) => {
      deaf()
      resume(exit)
    }
    const said = (answer: ThreadMessage<Answer>) => finish(Effect.succeed(answer))
    const ended = () => finish(exhausted)
    const failed = (error: NodeJS.ErrnoException) =>
      finish(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? exhausted : Effect.die(error))
    worker.on("message", said).on("error", failed).on("exit", ended)
    return Effect.sync(deaf)
  })

/**
 * Creates a pool of worker threads for a module that calls `answerEach`. Slow requests of one caller do not delay other
 * callers.
 *
 * Waiting requests are scheduled fairly by key (invariant I25). Requests and responses are copied as `structuredClone`
 * does. Threads start on demand, a thread is not reused after a failure, and all threads stop with the scope.
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
      // The thread that became idle last, so that the others reach the idle timeout.
      const present = [...idle.keys()].at(-1)
      if (present !== undefined) {
        rouse(present)
        return Effect.succeed(present)
      }
      const worker = start(module, memory)
      // An error in an idle thread stops only that thread, which isn't used again.
      worker.on("error", () => rouse(worker)).on("exit", () => rouse(worker))
      return Effect.as(next(worker), worker).pipe(Effect.onError(() => end(worker)))
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
        // A thread that is still busy, or broken, gets no further request.
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
