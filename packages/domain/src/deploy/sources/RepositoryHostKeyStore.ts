import { Context, type Effect } from "effect"
import type { HostKey } from "../servers/HostKeyStore.ts"

/**
 * Remembers the SSH host keys of the machines that repositories are fetched from.
 *
 * Must:
 * - give the first key that a machine shows to everybody who meets it afterwards
 * - agree on one of several keys that a machine shows at the same time
 * - remember the keys of addresses of repositories apart
 */
export class RepositoryHostKeyStore extends Context.Service<
  RepositoryHostKeyStore,
  {
    /** Keeps a key when it is the first of its address, and gives the fingerprint that is kept. */
    readonly admit: (key: HostKey) => Effect.Effect<string>
  }
>()("@slipway/domain/deploy/RepositoryHostKeyStore") {}
