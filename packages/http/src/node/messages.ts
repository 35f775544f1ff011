import { Effect, Layer } from "effect"

/** Prints a message for the operator on standard output. */
export const printMessage = (text: string): Effect.Effect<void> => Effect.sync(() => void process.stdout.write(text))

/**
 * Builds a service, and prints a generated secret after the service begins to listen or fails to do so.
 *
 * The secret is printed only once, because it cannot be read from the store later.
 */
export const printSecretOnce = <A, E, R>(
  text: string,
  service: (printed: Effect.Effect<void>) => Layer.Layer<A, E, R>
): Layer.Layer<A, E, R> => {
  let said = false
  const printed = Effect.suspend(() => {
    if (said) return Effect.void
    said = true
    return printMessage(text)
  })
  return Layer.tapCause(service(printed), () => printed)
}
