import { DeletionStore } from "@slipway/domain/deploy/apps"
import { listUseCase } from "../../base/reading/listUseCases.ts"

/** List use cases: `list` reads one page of deletions with their results, `stream` reads all. */
export const { list, stream } = listUseCase("deletion", DeletionStore)
