import type { BuildPack } from "./table.ts"

/** A program that builds an image from source code without a Dockerfile or another build recipe of the user. */
export type Packer = "packer_a" | "packer_b"

const packers: Readonly<Partial<Record<BuildPack, Packer>>> = {
  packer_a: "packer_a",
  nixpacks: "packer_a",
  packer_b: "packer_b",
  railpack: "packer_b"
}

/**
 * Returns the program that a build pack runs, for any name of the build pack; null for a build pack without such a
 * program.
 *
 * @example
 * packerOf("nixpacks") // => "packer_a"
 * packerOf("static") // => null
 */
export const packerOf = (pack: BuildPack | null): Packer | null => (pack === null ? null : (packers[pack] ?? null))
