import type { Sealed } from "@slipway/domain"
import type { Stores } from "@slipway/domain/forge"
import { KeyCheckStore } from "@slipway/domain/forge/base"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { equal } from "../base/fixtures.ts"

/** Contract tests of `KeyCheckStore`, which detects a start with a different secret key. */
export const keyCheck: Contract<Stores> = {
  port: "KeyCheckStore",
  musts: {
    "store the first text, and return it on every later call": Effect.gen(function* () {
      const store = yield* KeyCheckStore
      const answers = yield* Effect.forEach(["one", "two", "three"], (text) => store.first(text as Sealed))
      equal(answers, ["one", "one", "one"])
    })
  }
}
