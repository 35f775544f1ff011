import type { BuildPack } from "./table.ts"

/** A program that builds an image without a user-provided recipe. */
export type Packer = "packer_a" | "packer_b"

const packers: Readonly<Partial<Record<BuildPack, Packer>>> = {
  packer_a: "packer_a",
  nixpacks: "packer_a",
  packer_b: "packer_b",
  railpack: "packer_b"
}

/**
 * Returns the program of a build pack, under any of its names; null for one with a recipe.
 *
 * @example
 * packerOf("nixpacks") // => "packer_a"
 * packerOf("static") // => null
 */
export const packerOf = (pack: BuildPack | null): Packer | null => (pack === null ? null : (packers[pack] ?? null))
