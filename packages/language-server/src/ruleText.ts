import type { RuleWords } from "@slipway/testkit/access"

/** Returns lines of a scenario in Markdown. */
export const code = (text: string): string => `\`\`\`access\n${text}\n\`\`\``

/** Returns a rule in Markdown: its condition in words, and its reason. */
export const ruleText = ({ because, id, when }: RuleWords): string =>
  [`**${id}**`, ...(when === undefined ? [] : [`Applies when ${when}.`]), `Because: ${because}.`].join("\n\n")
