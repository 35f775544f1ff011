import { DeletionStore } from "@slipway/domain/deploy/apps"
import { reading } from "../../base/reading/listUseCases.ts"

/** Reads a page of deletions with their outcomes, or all. */
export const { list, stream } = reading("deletion", DeletionStore)
