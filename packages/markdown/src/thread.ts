import type { MarkdownSource } from "@slipway/domain/forge/collaboration"
import { answerEach } from "@slipway/threads/thread"
import { render, TooLarge } from "./render.ts"

/** The result of rendering in a worker thread: the HTML, or that it is too large. */
export interface Rendered {
  readonly html: string | undefined
}

answerEach((source: MarkdownSource): Rendered => {
  try {
    return { html: render(source) }
  } catch (error) {
    // Nesting that exceeds the stack counts as too large as well.
    if (error instanceof TooLarge || error instanceof RangeError) return { html: undefined }
    throw error
  }
})
