import { Context } from "effect"
import type { VisibleCollection } from "../../identity/grants/Visible.ts"
import type { PrivateKey } from "./PrivateKey.ts"

/** Stores private keys. */
export class PrivateKeyStore extends Context.Service<PrivateKeyStore, VisibleCollection<PrivateKey>>()(
  "@slipway/domain/deploy/PrivateKeyStore"
) {}
