import type { MarkdownSource } from "@slipway/domain/forge/collaboration"
import { answerEach } from "@slipway/threads/thread"
import { render, TooLarge } from "./render.ts"

/** HTML, or that a text makes too much of it. */
export interface Rendered {
  readonly html: string | undefined
}

answerEach((source: MarkdownSource): Rendered => {
  try {
    return { html: render(source) }
  } catch (error) {
    // Nesting that is too deep for the stack is too large as well.
    if (error instanceof TooLarge || error instanceof RangeError) return { html: undefined }
    throw error
  }
})
