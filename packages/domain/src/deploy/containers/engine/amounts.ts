const units = { b: 1, k: 1_024, m: 1_048_576, g: 1_073_741_824 } as const

/**
 * Converts a memory size in Docker's notation, such as `512m`, to bytes; undefined if it is invalid or too large.
 *
 * ```ts
 * import { bytesOf } from "./amounts.ts"
 *
 * bytesOf("512m") // => 536870912
 * bytesOf("1.5g") // => 1610612736
 * bytesOf("100") // => 100
 * bytesOf("much") // => undefined
 * ```
 */
export const bytesOf = (text: string): number | undefined => {
  const match = /^(\d{1,18}(?:\.\d{1,9})?)([bkmg])?b?$/i.exec(text.trim())
  if (match === null) return undefined
  const unit = (match[2] ?? "b").toLowerCase() as keyof typeof units
  const bytes = Math.round(Number(match[1]) * units[unit])
  return Number.isSafeInteger(bytes) ? bytes : undefined
}
