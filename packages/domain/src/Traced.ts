import { Effect, type Scope, Tracer } from "effect"

/** The attributes of a traced step in addition to its name. They must not contain secrets or user input. */
export type StepAttributes = Readonly<Record<string, string | number | boolean>>

/**
 * Runs a step in its own tracing span. Traces show the step, and metrics count it by its name.
 *
 * Without tracing, which is the default, it only runs the step.
 */
export const traced =
  (name: string, attributes: StepAttributes) =>
  <A, E, R>(step: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    ifTraced(
      () => Effect.useSpan(name, { attributes }, (span) => Effect.provideService(step, Tracer.ParentSpan, span)),
      step
    )

/** Runs the first effect if tracing is enabled, and otherwise the second. */
export const ifTraced = <A, E, R, B, E2, R2>(
  watched: () => Effect.Effect<A, E, R>,
  otherwise: Effect.Effect<B, E2, R2>
): Effect.Effect<A | B, E | E2, R | R2> =>
  Effect.withFiber<A | B, E | E2, R | R2>((fiber) =>
    fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer ? otherwise : watched()
  )

/** Starts a tracing span that ends when the scope closes. Does nothing without tracing. */
export const tracedScope = (name: string, attributes: StepAttributes): Effect.Effect<void, never, Scope.Scope> =>
  ifTraced(() => Effect.asVoid(Effect.makeSpanScoped(name, { attributes })), Effect.void)
