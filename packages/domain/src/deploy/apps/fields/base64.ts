import { Result } from "effect"
import { Base64 } from "effect/encoding"

const base64Text = /^[A-Za-z0-9+/]+={0,2}$/

/**
 * Returns the UTF-8 text in base64, with or without white space, in one pass over the sent characters; undefined for
 * other text.
 */
export const base64Content = (sent: string): string | undefined => {
  const packed = sent.replace(/\s/g, "")
  if (!base64Text.test(packed)) return undefined
  const bytes = Base64.decode(packed)
  if (Result.isFailure(bytes)) return undefined
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes.success)
  } catch {
    return undefined
  }
}
