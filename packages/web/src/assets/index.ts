import { type Asset, assetOf, sourceFile } from "./Asset.ts"
import { sprite } from "./icons.ts"

/** The only stylesheet. */
export const stylesheet = assetOf("slipway", "css", sourceFile("slipway.css"))

/** Optional features for browsers with scripts: copy buttons, keys, times in the reader's zone. */
export const script = assetOf("slipway", "js", sourceFile("slipway.js"))

/** Every asset by its path. */
export const assets: ReadonlyMap<string, Asset> = new Map(
  [stylesheet, script, sprite].map((asset) => [asset.path, asset])
)
