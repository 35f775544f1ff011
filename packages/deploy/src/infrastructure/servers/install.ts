import { InvalidInput } from "@slipway/domain"
import { EngineInstaller, type EngineUnreachable, type SshAccess } from "@slipway/domain/deploy/containers"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { HostKeyStore, installationProblem, type Server } from "@slipway/domain/deploy/infrastructure"
import { Effect, Stream } from "effect"
import { record } from "../../identity/audit/record.ts"
import { accessTo } from "./accessTo.ts"
import { engineFailureReason, keep, unreachable, type Validation, validate } from "./validate.ts"

const refused = (sentence: string) => new InvalidInput({ problems: { install: [sentence] } })

/** Returns the SSH access to a server; fails if the platform cannot install packages on it. */
const accessForInstallation = Effect.fnUntraced(function* (server: Server) {
  const problem = installationProblem(server)
  if (problem !== undefined) return yield* refused(problem)
  const access = yield* Effect.catchTag(accessTo(server), "EngineUnreachable", ({ because }: EngineUnreachable) =>
    refused(`${because}.`)
  )
  // INVARIANT: a server without a problem is reached by SSH.
  return access as SshAccess
})

/** Installs an engine, and stores each step and the final validation as the result of the server's validation. */
const perform = Effect.fnUntraced(function* (
  proof: Authorized<"server.validate">,
  access: SshAccess,
  installer: EngineInstaller["Service"]
) {
  const { server } = proof.resource
  const steps: Array<string> = []
  const failure = yield* installer.install(access).pipe(
    Stream.runForEach((step) => {
      steps.push(step)
      return keep(server.uuid, unreachable(`installing a container engine: ${steps.join(", ")}`))
    }),
    Effect.as(null),
    Effect.catch((error) =>
      Effect.succeed(error._tag === "InstallationFailed" ? error.because : engineFailureReason(error))
    )
  )
  if (failure === null) return yield* validate(proof)
  const done = steps.length === 0 ? "" : `, after: ${steps.join(", ")}`
  return yield* keep(server.uuid, unreachable(`the installation failed: ${failure}${done}`))
})

const started = unreachable("installing a container engine: the validation of the server shows the steps")

/**
 * Checks a server as `validate` does. If its container engine does not respond, starts to install one in the background;
 * the steps and the result are stored as the result of the server's validation. A repeated request completes an
 * installation that was interrupted, for example by a restart of the platform. Changes nothing while one runs.
 *
 * Fails if the platform does not reach the server by SSH as `root`.
 */
export const install = Effect.fnUntraced(function* (proof: Authorized<"server.validate">) {
  const { server } = proof.resource
  const access = yield* accessForInstallation(server)
  const installer = yield* EngineInstaller
  if (yield* installer.isInstalling(server.uuid)) {
    return { ...started, hostKeys: yield* (yield* HostKeyStore).ofServer(server.uuid) } satisfies Validation
  }
  const found = yield* validate(proof)
  if (found.isReachable) return found
  yield* keep(server.uuid, started)
  yield* record(proof.resource.caller, "done", {
    teamId: server.teamId,
    action: proof.action,
    object: server.uuid,
    detail: "started to install a container engine"
  })
  // The installation takes minutes; clients do not wait that long.
  const installed = perform(proof, access, installer).pipe(
    Effect.catchCause((cause) => Effect.logError("an installation of a container engine failed unexpectedly", cause))
  )
  yield* Effect.forkDetach(installed)
  return { ...started, hostKeys: found.hostKeys } satisfies Validation
})
