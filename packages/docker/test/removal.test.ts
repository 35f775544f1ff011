import { assert, it } from "@effect/vitest"
import { type ApplicationUuid, containerName, type DeploymentUuid, label } from "@slipway/domain/deploy"
import { Effect } from "effect"
import { layer, listening } from "./support/engine.ts"

const application = "a".repeat(24) as ApplicationUuid
const deployment = "d".repeat(24) as DeploymentUuid
const name = containerName({ application, deployment, service: null })

const shown = {
  Id: "c0ffee",
  Name: `/${name}`,
  Image: "sha256:00",
  State: { Status: "exited", ExitCode: 3, FinishedAt: "2026-11-23T01:45:00Z" },
  Config: { Labels: { [label.managed]: "true", [label.application]: application, [label.deployment]: deployment } },
  NetworkSettings: { Networks: {} }
}

const because =
  "cannot remove container c0ffee as it could not be stopped: sending SIGKILL: container state improper: stopped"

it.live("a container that ends again while Podman removes it goes all the same", () =>
  Effect.gen(function* () {
    let refusals = 2
    const { asked, engine } = yield* listening("podman", ({ method }) => {
      if (method === "GET") return { status: 200, body: shown }
      return refusals-- > 0 ? { status: 500, body: { message: because } } : { status: 204, body: {} }
    })
    assert.isTrue(yield* engine.remove({ application, name }))
    assert.deepStrictEqual(
      asked.map(({ method }) => method),
      ["GET", "DELETE", "DELETE", "DELETE"]
    )
  }).pipe(Effect.scoped, Effect.provide(layer))
)
