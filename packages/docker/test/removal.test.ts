import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { container, layer, listening, shown } from "./support/engine.ts"

const because =
  "cannot remove container c0ffee as it could not be stopped: sending SIGKILL: container state improper: stopped"

it.live("removing a container is retried when it exits during the removal", () =>
  Effect.gen(function* () {
    let refusals = 2
    const { asked, engine } = yield* listening("podman", ({ method }) => {
      if (method === "GET") return shown("exited")
      return refusals-- > 0 ? { status: 500, body: { message: because } } : { status: 204, body: {} }
    })
    assert.isTrue(yield* engine.remove(container))
    assert.deepStrictEqual(
      asked.map(({ method }) => method),
      ["GET", "DELETE", "DELETE", "DELETE"]
    )
  }).pipe(Effect.scoped, Effect.provide(layer))
)
