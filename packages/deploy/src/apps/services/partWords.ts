import type { ReleaseStore, ServicePart } from "@slipway/domain/deploy/apps"
import { ApplicationUuid } from "@slipway/domain/deploy/base"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { Effect } from "effect"
import { type RunWord, runWordOf, storedRunWords } from "../applications/runWord.ts"
import * as Status from "../applications/Status.ts"

/** The run states of a service and of each of its parts, such as `running:healthy`. */
export interface ServiceWords {
  readonly service: RunWord
  readonly partOf: (part: ServicePart) => RunWord
}

/**
 * Returns the run states of a service and its parts according to the database. The stored state shows whether a release
 * serves, but not its health.
 */
export const storedServiceWords = Effect.fnUntraced(function* (
  services: ReadonlyArray<{ readonly uuid: string; readonly parts: ReadonlyArray<ServicePart> }>
) {
  const wordOf = yield* storedRunWords(services.map(({ uuid }) => ({ uuid: ApplicationUuid.make(uuid) })))
  return (uuid: string): ServiceWords => {
    const service = wordOf({ uuid: ApplicationUuid.make(uuid) })
    return { service, partOf: ({ isStopped }) => (isStopped ? "exited:unhealthy" : service) }
  }
})

const timeout = "2 seconds"

/** Reads the state of a service's containers from its server; returns the stored state if that takes too long. */
export const serviceWords = Effect.fnUntraced(function* (proof: Authorized<"service.read">) {
  const { service } = proof.resource
  const stored = Effect.map(storedServiceWords([service]), (wordsOf) => wordsOf(service.uuid))
  return yield* Status.read(proof).pipe(
    Effect.flatMap((status): Effect.Effect<ServiceWords, never, ReleaseStore> => {
      if (status.unreachable !== null) return stored
      const { containers, serving } = status
      const running = containers.filter(({ owner }) => owner.deployment === serving?.serving.deploymentUuid)
      const partOf = ({ name }: ServicePart): RunWord => {
        const own = running.filter(({ owner }) => owner.service === name)
        return runWordOf({ containers: own, state: own.length === 0 ? "stopped" : Status.runStateOf(own) })
      }
      return Effect.succeed({ service: runWordOf(status), partOf })
    }),
    Effect.timeoutOrElse({ duration: timeout, orElse: () => stored })
  )
})
