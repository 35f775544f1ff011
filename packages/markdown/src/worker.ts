import { parentPort } from "node:worker_threads"
import type { MarkdownSource } from "@slipway/domain/forge"
import { render, TooLarge } from "./render.ts"

/** What the thread answers: that it is ready, HTML, or that a text makes too much of it. */
export type Answer = "ready" | "too large" | { readonly html: string }

const answer = (source: MarkdownSource): Answer => {
  try {
    return { html: render(source) }
  } catch (error) {
    // Nesting that is too deep for the stack is too large as well.
    if (error instanceof TooLarge || error instanceof RangeError) return "too large"
    throw error
  }
}

parentPort?.on("message", (source: MarkdownSource) => parentPort?.postMessage(answer(source)))
parentPort?.postMessage("ready" satisfies Answer)
