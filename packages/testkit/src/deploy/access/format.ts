import { formatExpectation, formatFile, spacedWords } from "../../scenarioLayout.ts"

/**
 * Formats a scenario file of the deployment platform. Its meaning and its comments stay the same.
 *
 * Words are separated by one space, consecutive blank lines become one, and the comments of adjacent lines are aligned.
 */
export const formatDeployScenario = (text: string): string =>
  formatFile(text, (line) => formatExpectation(line) ?? spacedWords(line))
