import { DeletionStore } from "@slipway/domain/deploy/apps"
import { listUseCase } from "../../base/reading/listUseCases.ts"

/** Reads a page of deletions with their outcomes, or all. */
export const { list, stream } = listUseCase("deletion", DeletionStore)
