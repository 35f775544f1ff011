import { Schema } from "effect"
import { base64Content } from "../fields/base64.ts"
import { text } from "../fields/field.ts"

const longest = 1_000_000

/**
 * Returns the YAML text of a compose file in a request. The request may contain it as base64, as clients of Coolify do.
 *
 * @example
 * composeText("services: {}") // => "services: {}"
 * composeText("c2VydmljZXM6IHt9") // => "services: {}"
 */
export const composeText = (sent: string): string =>
  // Every compose file has a colon, which base64 has not.
  sent.includes(":") ? sent : (base64Content(sent) ?? sent)

/** The schema of a compose file, sent as text or as base64. */
export const ComposeText = text(longest).check(
  Schema.makeFilter((sent: string) => {
    if (sent.trim() === "") return "Must not be empty."
    return composeText(sent).includes("\0") ? "Must not contain a NUL character." : undefined
  })
)
