import type { StoresOf } from "../../owned/Owned.ts"
import { labels } from "../labels/Label.ts"

/** Every owned kind of the code hosting service, each behind those that it refers to. */
export const ownedKinds = [labels] as const

/** The stores of the owned kinds. */
export type OwnedStores = StoresOf<typeof ownedKinds>
