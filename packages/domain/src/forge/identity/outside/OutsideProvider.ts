import { Context, type Effect, Schema } from "effect"

/** What an answer of another service is held to: that it answers the question that this browser asked. */
export const OutsideChecks = Schema.Struct({ state: Schema.String, nonce: Schema.String, verifier: Schema.String })
export type OutsideChecks = typeof OutsideChecks.Type

/** Somebody as another service knows them. */
export const Outsider = Schema.Struct({ issuer: Schema.String, subject: Schema.String })
export type Outsider = typeof Outsider.Type

/** Reports that another service did not sign somebody in, or that its answer can't be believed. */
export class OutsideRefused extends Schema.TaggedError<OutsideRefused>()("OutsideRefused", {
  because: Schema.String
}) {}

/**
 * Another service that signs people in by OpenID Connect; there is none unless a layer says more.
 *
 * It has a default, so that whoever serves the API alone needs no library for it.
 */
export const OutsideProvider = Context.Reference<
  | {
      /** What people call it. */
      readonly name: string
      /** Returns where a browser is sent, and what comes back to `callback` is held to. */
      readonly begin: (
        callback: string
      ) => Effect.Effect<{ readonly address: string; readonly checks: OutsideChecks }, OutsideRefused>
      /** Finds out who was signed in, from the whole address that the browser came back to. */
      readonly finish: (address: string, checks: OutsideChecks) => Effect.Effect<Outsider, OutsideRefused>
    }
  | undefined
>("@slipway/domain/forge/OutsideProvider", { defaultValue: () => undefined })
