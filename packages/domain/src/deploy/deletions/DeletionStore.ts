import { Context } from "effect"
import type { Collection } from "../../Collection.ts"
import type { Deletion } from "./Deletion.ts"

/** Keeps deletions. */
export class DeletionStore extends Context.Service<DeletionStore, Collection<Deletion>>()(
  "@slipway/domain/deploy/DeletionStore"
) {}
