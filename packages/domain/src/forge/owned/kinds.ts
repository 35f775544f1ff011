import type { StoresOf } from "../../owned/Owned.ts"
import { comments, issues } from "../issues/Issue.ts"
import { labels } from "../labels/Label.ts"

/** Every owned kind of the code hosting service, each behind those that it refers to. */
export const ownedKinds = [labels, issues, comments] as const

/** The stores of the owned kinds. */
export type OwnedStores = StoresOf<typeof ownedKinds>
