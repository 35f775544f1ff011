import { Context } from "effect"
import type { Collection } from "../../../Collection.ts"
import type { PrivateKey } from "./PrivateKey.ts"

/** Stores private keys. */
export class PrivateKeyStore extends Context.Service<PrivateKeyStore, Collection<PrivateKey>>()(
  "@slipway/domain/deploy/PrivateKeyStore"
) {}
