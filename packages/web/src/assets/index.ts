import { type Asset, assetOf, sourceFile } from "./Asset.ts"
import { sprite } from "./icons.ts"

/** The stylesheet of all pages. */
export const stylesheet = assetOf("slipway", "css", sourceFile("slipway.css"))

/**
 * The script of all pages. It adds optional features: copy buttons, keyboard shortcuts, and times in the time zone of
 * the reader.
 */
export const script = assetOf("slipway", "js", sourceFile("slipway.js"))

/** Every asset by its path. */
export const assets: ReadonlyMap<string, Asset> = new Map(
  [stylesheet, script, sprite].map((asset) => [asset.path, asset])
)
