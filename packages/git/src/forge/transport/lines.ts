import type { Readable } from "node:stream"

/** Returns a function that reads the next line of a stream; the line is undefined when the stream has ended. */
export const linesOf = (readable: Readable, longest: number) => {
  let rest = ""
  let ended = false
  const lines: Array<string> = []
  const waiting: Array<(line: string | undefined) => void> = []
  const give = () => {
    while (waiting.length > 0 && (lines.length > 0 || ended)) waiting.shift()?.(lines.shift())
  }
  readable.setEncoding("utf8")
  readable.on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\n")
    rest = parts.pop() ?? ""
    lines.push(...parts)
    // Git writes no line of this length: the input is invalid and not buffered.
    if (rest.length > longest) readable.destroy()
    give()
  })
  const end = () => {
    ended = true
    give()
  }
  readable.on("end", end)
  readable.on("close", end)
  readable.on("error", end)
  return {
    next: (): Promise<string | undefined> =>
      new Promise((resolve) => {
        waiting.push(resolve)
        give()
      })
  }
}
