import { reading } from "../access/reading.ts"
import { DeletionNotFound } from "./Deletion.ts"
import { DeletionStore } from "./DeletionStore.ts"

/** Reads one deletion with its outcome, a page of them, or all. */
export const { get, list, stream } = reading("deletion", DeletionStore, () => new DeletionNotFound())
