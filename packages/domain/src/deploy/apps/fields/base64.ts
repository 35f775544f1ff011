import { Result } from "effect"
import { Base64 } from "effect/encoding"

const base64Text = /^[A-Za-z0-9+/]+={0,2}$/

/** Decodes base64, with or without white space, to UTF-8 text; undefined if the input is anything else. */
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
