import type { Sealed } from "@slipway/domain"
import { KeyCheckStore } from "@slipway/domain/forge/base"
import { Effect, Layer, Ref } from "effect"

/** Stores in memory an encrypted text that detects a start with a different secret key. */
export const keyCheckStore = Layer.effect(
  KeyCheckStore,
  Effect.map(Ref.make<Sealed | undefined>(undefined), (stored) => ({
    first: (sealed) =>
      Ref.updateAndGet(stored, (present) => present ?? sealed).pipe(Effect.map((text) => text ?? sealed))
  }))
)
