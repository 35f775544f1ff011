import { Result } from "effect"
import type { ComposeService } from "../ComposeProject.ts"

type Waiting = Pick<ComposeService, "name" | "dependsOn">

/** Sorts services so that each follows its dependencies; fails with the services of a dependency cycle. */
export const inStartOrder = <A extends Waiting>(
  services: ReadonlyArray<A>
): Result.Result<ReadonlyArray<A>, ReadonlyArray<string>> => {
  const done = new Set<string>()
  const ordered: Array<A> = []
  let waiting = services
  while (waiting.length > 0) {
    const ready = waiting.filter(({ dependsOn }) => dependsOn.every(({ service }) => done.has(service)))
    if (ready.length === 0) return Result.fail(waiting.map(({ name }) => name))
    for (const each of ready) {
      done.add(each.name)
      ordered.push(each)
    }
    waiting = waiting.filter(({ name }) => !done.has(name))
  }
  return Result.succeed(ordered)
}
