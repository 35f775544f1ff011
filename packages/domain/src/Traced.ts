import { Effect, type Scope, Tracer } from "effect"

/** What is said of a step besides its name; nothing of it is a secret, or what a user wrote. */
export type StepAttributes = Readonly<Record<string, string | number | boolean>>

/**
 * Runs a step as a span of its own: traces show it, and metrics count it by its name.
 *
 * Where nobody looks, which is so unless an operator sets it, it is the step alone.
 */
export const traced =
  (name: string, attributes: StepAttributes) =>
  <A, E, R>(step: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    whereWatched(
      () => Effect.useSpan(name, { attributes }, (span) => Effect.provideService(step, Tracer.ParentSpan, span)),
      step
    )

/** Does the first where somebody looks at spans, and else the second. */
export const whereWatched = <A, E, R, B, E2, R2>(
  watched: () => Effect.Effect<A, E, R>,
  otherwise: Effect.Effect<B, E2, R2>
): Effect.Effect<A | B, E | E2, R | R2> =>
  Effect.withFiber<A | B, E | E2, R | R2>((fiber) =>
    fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer ? otherwise : watched()
  )

/** Begins a step that ends with its scope, as a span of its own where somebody looks. */
export const tracedScope = (name: string, attributes: StepAttributes): Effect.Effect<void, never, Scope.Scope> =>
  whereWatched(() => Effect.asVoid(Effect.makeSpanScoped(name, { attributes })), Effect.void)
