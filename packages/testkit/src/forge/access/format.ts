import { formatExpectation, formatFile, listedWords, spacedWords } from "../../scenarioLayout.ts"

/** Formats a line of a scenario, without its comment: one space between words, and one after each comma of a list. */
export const formatLine = (line: string): string => {
  const expectation = formatExpectation(line)
  if (expectation !== undefined) return expectation
  const members = line.indexOf(":")
  if (!/^\s*team\s/.test(line) || members < 0) return spacedWords(line)
  return `${spacedWords(line.slice(0, members))}: ${listedWords(line.slice(members + 1))}`.trimEnd()
}

/**
 * Formats a scenario file in the text format. Its meaning and its comments stay the same.
 *
 * Words are separated by one space. Consecutive blank lines become one. A blank line precedes each `scenario` line, and
 * the comments of adjacent lines are aligned.
 */
export const formatScenarios = (text: string): string => formatFile(text, formatLine)
