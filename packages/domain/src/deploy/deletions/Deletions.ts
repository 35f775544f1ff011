import { reading } from "../access/reading.ts"
import { DeletionStore } from "./DeletionStore.ts"

/** Reads a page of deletions with their outcomes, or all. */
export const { list, stream } = reading("deletion", DeletionStore)
