import {
  GitHostFailed,
  type HostedBranch,
  HostedRepositories,
  type HostedRepository,
  HostedRepositoryNotFound
} from "@slipway/domain/deploy/apps"
import { Context, Effect, Layer } from "effect"

/** The repositories and branches that an app installation can access at a simulated git host. */
export type HostedSimulated = ReadonlyArray<HostedRepository & { readonly branches: ReadonlyArray<HostedBranch> }>

/** Sets the content of simulated git hosts, by the number of the app installation. */
export class HostSimulation extends Context.Service<
  HostSimulation,
  { readonly has: (installation: number, repositories: HostedSimulated) => Effect.Effect<void> }
>()("@slipway/memory/deploy/HostSimulation") {}

/**
 * Simulates git hosts in memory. Requests fail with `GitHostFailed` until a test sets the content of the installation.
 */
export const hostedRepositories: Layer.Layer<HostedRepositories | HostSimulation> = Layer.effectContext(
  Effect.sync(() => {
    const hosts = new Map<number, HostedSimulated>()
    const at = (installation: number) =>
      Effect.suspend(() => {
        const all = hosts.get(installation)
        return all === undefined
          ? Effect.fail(new GitHostFailed({ because: "the host does not exist" }))
          : Effect.succeed(all)
      })
    return Context.make(HostedRepositories, {
      list: ({ installationId }) =>
        Effect.map(at(installationId), (all) => all.map(({ branches: _, ...repository }) => repository)),
      branches: ({ installationId }, _key, { name, owner }) =>
        Effect.flatMap(at(installationId), (all) => {
          const found = all.find((each) => each.name === name && each.owner === owner)
          return found === undefined ? Effect.fail(new HostedRepositoryNotFound()) : Effect.succeed(found.branches)
        })
    }).pipe(
      Context.add(HostSimulation, {
        has: (installation, repositories) => Effect.sync(() => void hosts.set(installation, repositories))
      })
    )
  })
)
