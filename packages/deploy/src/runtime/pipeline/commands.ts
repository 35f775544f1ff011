import type { Container } from "@slipway/domain/deploy/containers"
import type { PlannedCommand } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"
import { type DeployContext, fail, logLines } from "./deployContext.ts"

/** Finds the container for a command, by container name or service name. An empty name selects the first container. */
export const chosenAmong = <C extends Pick<Container, "name" | "owner">>(among: ReadonlyArray<C>, container: string) =>
  container === "" ? among[0] : among.find(({ name, owner }) => [name, owner.service].includes(container))

/** Runs a command in one of the containers, and logs its output. An exit code other than 0 fails the deployment. */
export const runCommand = Effect.fnUntraced(function* (
  { deployment, engine, server }: DeployContext,
  { argv, container }: PlannedCommand,
  among: ReadonlyArray<Pick<Container, "name" | "owner">>
) {
  const chosen = chosenAmong(among, container)
  if (chosen === undefined) return yield* fail(`there is no container \`${container}\` to run \`${argv[0]}\` in`)
  yield* logLines(deployment, [`running \`${argv[0]}\` in ${chosen.name}`])
  const limit = server.dynamicTimeout
  const { exitCode, output } = yield* Effect.timeoutOrElse(
    engine.exec({ application: deployment.applicationUuid, name: chosen.name }, { argv }),
    { duration: limit * 1000, orElse: () => fail(`the command \`${argv[0]}\` took longer than ${limit} seconds`) }
  )
  yield* logLines(
    deployment,
    output.map(({ text }) => text)
  )
  if (exitCode !== 0) return yield* fail(`the command \`${argv[0]}\` exited with ${exitCode}`)
})
