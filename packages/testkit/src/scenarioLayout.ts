interface Line {
  readonly code: string
  readonly comment: string
}

/** Returns the words of a text, separated by one space. */
export const spacedWords = (text: string): string => text.trim().split(/\s+/).filter(Boolean).join(" ")

/** Returns the parts of a list, with one space after each comma and between words. */
export const listedWords = (text: string): string => text.split(",").map(spacedWords).filter(Boolean).join(", ")

/** Formats an expectation; undefined for a line without `->`. */
export const formatExpectation = (line: string): string | undefined => {
  const [asked = "", expected] = line.split("->")
  return expected === undefined ? undefined : `${listedWords(asked)} -> ${listedWords(expected)}`.trimEnd()
}

/** Aligns the comments of adjacent lines. */
const aligned = (block: ReadonlyArray<Line>): ReadonlyArray<string> => {
  const width = block.reduce((most, { code, comment }) => (comment === "" ? most : Math.max(most, code.length)), 0)
  return block.map(({ code, comment }) =>
    comment === "" ? code : code === "" ? comment : `${code.padEnd(width)} ${comment}`
  )
}

const isTitle = ({ code }: Line): boolean => code.startsWith("scenario ")

/**
 * Formats a scenario file, with a function that formats a line without its comment.
 *
 * Consecutive blank lines become one. A blank line precedes each `scenario` line, and the comments of adjacent lines
 * are aligned.
 */
export const formatFile = (text: string, formatLine: (line: string) => string): string => {
  const lineOf = (line: string): Line => {
    const comment = /(^|\s)#.*$/.exec(line)
    const code = comment === null ? line : line.slice(0, comment.index)
    return { code: formatLine(code), comment: comment === null ? "" : comment[0].trim() }
  }
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
