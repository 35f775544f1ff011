import { WorkShares } from "@slipway/domain"
import { ComposeRefused } from "@slipway/domain/deploy/containers"
import { makeThreads, threadModule } from "@slipway/threads"
import { Duration, Effect, type Scope } from "effect"
import { limitMessages } from "./program.ts"
import type { Reference } from "./references.ts"
import type { Read } from "./texts.ts"
import type { Answers, Question } from "./thread.ts"

/** Reads the YAML of repositories, or returns what is wrong with it. */
export interface YamlThreads {
  /** Reads the references in a compose file. */
  readonly references: (text: string) => Effect.Effect<Read<ReadonlyArray<Reference>>, ComposeRefused>
  /** Reads the output of the program's first generation. */
  readonly printed: (text: string) => Effect.Effect<Read<unknown>, ComposeRefused>
}

/**
 * Makes a YAML reader in threads: a mebibyte of it may take seconds, which must delay no other caller (invariant I25).
 */
export const makeYamlThreads = (
  threads: number,
  timeout: Duration.Input = Duration.seconds(30)
): Effect.Effect<YamlThreads, never, Scope.Scope> =>
  Effect.map(
    makeThreads<Question, Answers[keyof Answers]>(threadModule(import.meta.url, "thread"), {
      threads,
      timeout,
      memory: 512,
      shares: Effect.service(WorkShares)
    }),
    (ask) => {
      const asking = <A extends Answers[keyof Answers]>(question: Question) =>
        Effect.mapBoth(ask(question), {
          // BOUNDARY: the type of the answer depends on the question.
          onSuccess: (answer) => answer as A,
          onFailure: ({ of }) => new ComposeRefused({ because: limitMessages[of] })
        })
      return {
        references: (file) => asking<Answers["file"]>({ file }),
        printed: (printed) => asking<Answers["printed"]>({ printed })
      }
    }
  )
