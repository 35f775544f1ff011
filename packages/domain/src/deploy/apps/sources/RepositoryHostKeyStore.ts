import { Context, type Effect } from "effect"
import type { HostKey } from "../../infrastructure/servers/HostKeyStore.ts"

/**
 * Stores the SSH host keys of git hosts.
 *
 * Must:
 * - return the first host key of a machine to every later caller
 * - accept only one of several host keys that are presented concurrently
 * - keep the host keys of different repository addresses separate
 * - list the host keys of machines with repositories, and remove one
 */
export class RepositoryHostKeyStore extends Context.Service<
  RepositoryHostKeyStore,
  {
    /** Stores a host key unless its address already has one. Returns the fingerprint of the stored key. */
    readonly admit: (key: HostKey) => Effect.Effect<string>
    /** Lists the stored host keys, ordered by address, at most `most`. */
    readonly list: (most: number) => Effect.Effect<ReadonlyArray<HostKey>>
    /** Deletes the host key of an address. Returns whether there was one. */
    readonly forget: (address: string) => Effect.Effect<boolean>
  }
>()("@slipway/domain/deploy/RepositoryHostKeyStore") {}
