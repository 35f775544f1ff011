import { describe, it } from "@effect/vitest"
import { Effect, type Layer, type Scope } from "effect"

/** The test of one requirement. Each test runs with a new store. */
export type Promised<R> = Effect.Effect<void, unknown, R | Scope.Scope>

/**
 * The contract of a port (an interface to a store or service): its requirements, which every implementation must meet.
 *
 * `musts` maps each sentence of the `Must` list of the port to one test, or to one test per case.
 */
export interface Contract<R> {
  readonly port: string
  readonly musts: Readonly<Record<string, Promised<R> | Readonly<Record<string, Promised<R>>>>>
}

/**
 * Returns a contract with only its first requirement. Use it for stores that differ only in the connection to the
 * database.
 */
export const firstOf = <R>({ musts, port }: Contract<R>): Contract<R> => ({
  port,
  musts: Object.fromEntries(Object.entries(musts).slice(0, 1))
})

/**
 * Returns one of every `share` tests of a contract.
 *
 * Requirements with the same number of cases keep different cases, so that each case is tested by some requirement.
 */
export const partOf = <R>({ musts, port }: Contract<R>, share: number): Contract<R> => {
  const isOfPart = (...places: ReadonlyArray<number>) => places.reduce((sum, place) => sum + place, 0) % share === 0
  return {
    port,
    musts: Object.fromEntries(
      Object.entries(musts).flatMap(([sentence, promised], at): ReadonlyArray<readonly [string, typeof promised]> => {
        if (Effect.isEffect(promised)) return isOfPart(at) ? [[sentence, promised]] : []
        const cases = Object.entries(promised)
        const part = cases.length < share ? cases : cases.filter((_, place) => isOfPart(at, place))
        return [[sentence, Object.fromEntries(part)]]
      })
    )
  }
}

/** Registers the tests of contracts in a group called `name`. `layer` is rebuilt for each test. */
export const register = <R, E>(
  name: string,
  layer: Layer.Layer<R, E>,
  contracts: ReadonlyArray<Contract<R>>,
  timeout = 90_000
): void => {
  const test = (title: string, promised: Promised<R>) =>
    it.live(title, () => Effect.provide(promised, layer, { local: true }), timeout)
  describe(name, () => {
    for (const { musts, port } of contracts) {
      describe(port, () => {
        for (const [sentence, promised] of Object.entries(musts)) {
          if (Effect.isEffect(promised)) test(sentence, promised)
          else {
            describe(sentence, () => {
              for (const [title, each] of Object.entries(promised)) test(title, each)
            })
          }
        }
      })
    }
  })
}
