import { WorkShares } from "@slipway/domain"
import type { OutlinedService } from "@slipway/domain/deploy/apps"
import { ComposeRefused } from "@slipway/domain/deploy/containers"
import { ManifestReader, ManifestRefused } from "@slipway/domain/deploy/runtime"
import { makeThreads, threadModule } from "@slipway/threads"
import { Duration, Effect, Layer, type Scope } from "effect"
import type { ManifestRead } from "./manifest.ts"
import { limitMessages } from "./program.ts"
import type { Reference } from "./references.ts"
import type { Read } from "./texts.ts"
import type { Answers, Question } from "./thread.ts"

/** Parses untrusted YAML files of repositories in worker threads. Returns the result, or the reason of a failure. */
export interface YamlThreads {
  /** Finds the paths that a compose file references. */
  readonly references: (text: string) => Effect.Effect<Read<ReadonlyArray<Reference>>, ComposeRefused>
  /** Finds the services of a compose file. */
  readonly outline: (text: string) => Effect.Effect<Read<ReadonlyArray<OutlinedService>>, ComposeRefused>
  /** Parses the output of version 1 of the compose program. */
  readonly printed: (text: string) => Effect.Effect<Read<unknown>, ComposeRefused>
  /** Parses a manifest. */
  readonly manifest: (text: string) => Effect.Effect<ManifestRead, ComposeRefused>
}

/**
 * Starts worker threads that parse YAML. A file of one mebibyte may take seconds, which must not delay other requests
 * (invariant I25: bounded resources).
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
        outline: (outlined) => asking<Answers["outlined"]>({ outlined }),
        printed: (printed) => asking<Answers["printed"]>({ printed }),
        manifest: (manifest) => asking<Answers["manifest"]>({ manifest })
      }
    }
  )

/** Provides a reader of manifests, which parses each manifest in a worker thread for at most 10 seconds. */
export const layerManifestReader: Layer.Layer<ManifestReader> = Layer.effect(
  ManifestReader,
  Effect.map(makeYamlThreads(1, Duration.seconds(10)), ({ manifest }) => ({
    read: Effect.fnUntraced(function* (text: string) {
      const read = yield* Effect.mapError(manifest(text), ({ because }) => new ManifestRefused({ line: 1, because }))
      return "because" in read ? yield* new ManifestRefused(read) : read
    })
  }))
)
