import { Context, type Effect } from "effect"
import type { ServerUuid } from "./Server.ts"

/**
 * The SSH host key that a server's address presented at the first connection; later connections must present it too.
 */
export interface HostKey {
  /** The address that presented the key, as `host:port`. */
  readonly address: string
  /** The SHA-256 fingerprint, as `ssh-keygen -l` shows it. */
  readonly fingerprint: string
}

/**
 * Stores the SSH host keys of servers.
 *
 * Must:
 * - store the first host key of a server's address, and accept no other afterwards
 * - accept only one of several host keys that an address presents concurrently
 * - keep the host keys of different servers and addresses separate
 * - accept any host key after the host keys of a server are removed
 * - remove the host keys of a removed server
 */
export class HostKeyStore extends Context.Service<
  HostKeyStore,
  {
    /** Stores a host key if its address has none; returns whether the key equals the stored key of the address. */
    readonly admit: (server: ServerUuid, key: HostKey) => Effect.Effect<boolean>
    /** Lists the stored host keys of a server, sorted by address. */
    readonly ofServer: (server: ServerUuid) => Effect.Effect<ReadonlyArray<HostKey>>
    readonly forget: (server: ServerUuid) => Effect.Effect<void>
  }
>()("@slipway/domain/deploy/HostKeyStore") {}
