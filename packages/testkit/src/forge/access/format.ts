interface Line {
  readonly code: string
  readonly comment: string
}

const words = (text: string): string => text.trim().split(/\s+/).filter(Boolean).join(" ")

const listed = (text: string): string => text.split(",").map(words).filter(Boolean).join(", ")

/** Formats a line of a scenario, without its comment: one space between words, and one after each comma of a list. */
export const formatLine = (line: string): string => {
  const [asked = "", expected] = line.split("->")
  if (expected !== undefined) return `${listed(asked)} -> ${listed(expected)}`.trimEnd()
  const members = line.indexOf(":")
  if (!/^\s*team\s/.test(line) || members < 0) return words(line)
  return `${words(line.slice(0, members))}: ${listed(line.slice(members + 1))}`.trimEnd()
}

const lineOf = (text: string): Line => {
  const comment = /(^|\s)#.*$/.exec(text)
  const code = comment === null ? text : text.slice(0, comment.index)
  return { code: formatLine(code), comment: comment === null ? "" : comment[0].trim() }
}

/** Aligns the comments of adjacent lines. */
const aligned = (block: ReadonlyArray<Line>): ReadonlyArray<string> => {
  const width = Math.max(...block.filter(({ comment }) => comment !== "").map(({ code }) => code.length), 0)
  return block.map(({ code, comment }) =>
    comment === "" ? code : code === "" ? comment : `${code.padEnd(width)} ${comment}`
  )
}

const isTitle = ({ code }: Line): boolean => code.startsWith("scenario ")

/**
 * Formats a scenario file in the text format. Its meaning and its comments stay the same.
 *
 * Words are separated by one space. Consecutive blank lines become one. A blank line precedes each `scenario` line, and
 * the comments of adjacent lines are aligned.
 */
export const formatScenarios = (text: string): string => {
  const blocks: Array<Array<Line>> = [[]]
  for (const line of text.split("\n").map(lineOf)) {
    const block = blocks.at(-1) as Array<Line>
    if (line.code === "" && line.comment === "") blocks.push([])
    else if (isTitle(line) && block.some(({ code }) => code !== "")) blocks.push([line])
    else block.push(line)
  }
  const shown = blocks.filter((block) => block.length > 0).map((block) => aligned(block).join("\n"))
  return shown.length === 0 ? "" : `${shown.join("\n\n")}\n`
}
