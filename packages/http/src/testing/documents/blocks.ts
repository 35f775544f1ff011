/** Reads the code blocks of a Markdown page. */

/** A fenced code block: its language, the attributes of its info string, its text and its first line. */
export interface Block {
  readonly language: string
  /** Attributes such as `file=company.access` or `needs=container-engine`. */
  readonly attributes: Readonly<Record<string, string>>
  readonly text: string
  readonly line: number
}

const withoutMargin = (text: string, margin: string): string =>
  margin === "" ? text : text.replaceAll(new RegExp(`^${margin}`, "gm"), "")

/** Returns the fenced code blocks of a page, those in lists included. */
export const blocksOf = (page: string): ReadonlyArray<Block> =>
  [...page.matchAll(/^( *)```(\S*)([^\n]*)\n(.*?)^\1```$/gms)].map(
    ({ 1: margin = "", 2: language = "", 3: info = "", 4: text = "", index }) => ({
      language,
      attributes: Object.fromEntries(
        info
          .trim()
          .split(/\s+/)
          .filter((word) => word.includes("="))
          .map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)])
      ),
      text: withoutMargin(text, margin),
      line: page.slice(0, index).split("\n").length + 1
    })
  )

/** A command of a `console` block with the output that the page shows; undefined if it shows none. */
export interface Command {
  readonly command: string
  readonly output: string | undefined
}

/** Returns the commands of a `console` block. */
export const commandsOf = (text: string): ReadonlyArray<Command> =>
  text
    .trimEnd()
    .split(/^\$ /m)
    .slice(1)
    .map((each) => {
      const [command = "", ...lines] = each.trimEnd().split("\n")
      return { command, output: lines.length === 0 ? undefined : lines.join("\n") }
    })
