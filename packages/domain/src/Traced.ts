import { Effect, type Scope, Tracer } from "effect"

/** The attributes of a step, in addition to its name; they contain no secrets and no user input. */
export type StepAttributes = Readonly<Record<string, string | number | boolean>>

/**
 * Runs a step as its own span: traces show it, and metrics count it by its name.
 *
 * Without tracing, which is the default, it runs only the step.
 */
export const traced =
  (name: string, attributes: StepAttributes) =>
  <A, E, R>(step: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    ifTraced(
      () => Effect.useSpan(name, { attributes }, (span) => Effect.provideService(step, Tracer.ParentSpan, span)),
      step
    )

/** Runs the first effect if spans are recorded, and otherwise the second. */
export const ifTraced = <A, E, R, B, E2, R2>(
  watched: () => Effect.Effect<A, E, R>,
  otherwise: Effect.Effect<B, E2, R2>
): Effect.Effect<A | B, E | E2, R | R2> =>
  Effect.withFiber<A | B, E | E2, R | R2>((fiber) =>
    fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer ? otherwise : watched()
  )

/** Starts a span that ends when the scope closes; does nothing if no tracer records spans. */
export const tracedScope = (name: string, attributes: StepAttributes): Effect.Effect<void, never, Scope.Scope> =>
  ifTraced(() => Effect.asVoid(Effect.makeSpanScoped(name, { attributes })), Effect.void)
