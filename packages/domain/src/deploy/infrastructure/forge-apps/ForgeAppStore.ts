import { Context } from "effect"
import type { Collection } from "../../../Collection.ts"
import type { ForgeApp } from "./ForgeApp.ts"

/** Stores installations of git-hosting apps. */
export class ForgeAppStore extends Context.Service<ForgeAppStore, Collection<ForgeApp>>()(
  "@slipway/domain/deploy/ForgeAppStore"
) {}
