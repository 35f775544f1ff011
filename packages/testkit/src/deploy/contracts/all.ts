import type { Stores } from "@slipway/domain/deploy"
import type { Layer } from "effect"
import { type Contract, register } from "../../contract.ts"
import { collection } from "./collection.ts"
import { transaction } from "./transaction.ts"

/** Every promise of the ports of the deployment platform. */
export const all: ReadonlyArray<Contract<Stores>> = [collection, transaction]

/** Registers the contracts of every port for a store; `layer` is built anew for each test, and has to start empty. */
export const contracts = <E>(name: string, layer: Layer.Layer<Stores, E>): void => register(name, layer, all)
