const blank = (text: string): string => text.replace(/[^\n]/g, " ")

const fenceStart = /^ {0,3}(?:> ?){0,10}(?:(?:[-*+]|\d{1,9}[.)]) {1,4})?(`{3,}(?=[^`]*$)|~{3,})/

/** Replaces HTML comments by spaces. An unclosed comment counts only if it starts at the beginning of a line. */
const withoutComments = (text: string): string => {
  const parts: Array<string> = []
  let done = 0
  for (let open = text.indexOf("<!--"); open !== -1; open = text.indexOf("<!--", done)) {
    const close = text.indexOf("-->", open + 4)
    const isBlock = /(?:^|\n) {0,3}$/.test(text.slice(Math.max(0, open - 4), open))
    if (close === -1 && !isBlock) break
    const end = close === -1 ? text.length : close + 3
    parts.push(text.slice(done, open), blank(text.slice(open, end)))
    done = end
  }
  return parts.join("") + text.slice(done)
}

/**
 * Replaces the code spans in a block of lines by spaces. A code span ends at a run of backticks as long as the first
 * one.
 */
const withoutSpans = (block: string): string => {
  const runs = [...block.matchAll(/`+/g)].map((match) => ({ at: match.index, length: match[0].length }))
  // The position of the next run of each length, computed from the end, so that a block of backticks takes linear time.
  const next: Array<number | undefined> = []
  const last = new Map<number, number>()
  for (let n = runs.length - 1; n >= 0; n -= 1) {
    const length = runs[n]?.length ?? 0
    next[n] = last.get(length)
    last.set(length, n)
  }
  const parts: Array<string> = []
  let done = 0
  for (let n = 0; n < runs.length; n += 1) {
    const [open, close] = [runs[n], runs[next[n] ?? -1]]
    if (open === undefined || close === undefined || block[open.at - 1] === "\\") continue
    parts.push(block.slice(done, open.at), blank(block.slice(open.at, close.at + close.length)))
    done = close.at + close.length
    n = next[n] ?? n
  }
  return parts.join("") + block.slice(done)
}

/**
 * Returns a Markdown text with code and HTML comments replaced by spaces, so that lengths and line numbers stay equal.
 *
 * Code is: fenced blocks, indented lines after an empty line, and spans between backticks.
 */
export const withoutCode = (text: string): string => {
  const out: Array<string> = []
  let block: Array<string> = []
  let fence: string | undefined
  let afterEmpty = true
  const flush = () => {
    if (block.length > 0) out.push(withoutSpans(block.join("\n")))
    block = []
  }
  for (const line of text.split("\n")) {
    const open = fenceStart.exec(line)?.[1]
    const isEmpty = line.trim() === ""
    if (fence !== undefined) {
      const [mark = ""] = fence
      const closed = line.replace(/^[ >]*/, "").trimEnd()
      if (closed.length >= fence.length && closed.replaceAll(mark, "") === "") fence = undefined
      out.push(blank(line))
    } else if (open !== undefined) {
      flush()
      fence = open
      out.push(blank(line))
    } else if (isEmpty || (afterEmpty && /^(?: {4}|\t)/.test(line))) {
      flush()
      out.push(blank(line))
    } else {
      block.push(line)
    }
    // Lines of indented code are consecutive.
    afterEmpty = isEmpty || (afterEmpty && block.length === 0 && fence === undefined && open === undefined)
  }
  flush()
  return withoutComments(out.join("\n"))
}
