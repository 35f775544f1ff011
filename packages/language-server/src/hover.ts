import {
  type branchVerbs,
  isBranchVerb,
  type RuleWords,
  rulesOfAction,
  rulesOfBranches,
  type Word
} from "@slipway/testkit/access"
import type { Hover } from "vscode-languageserver"
import { type AccessFile, rangeOf } from "./AccessFile.ts"
import { code, ruleText } from "./ruleText.ts"
import { itemSyntax, lineSyntax } from "./syntax.ts"

const branchTexts: { readonly [V in (typeof branchVerbs)[number]]: string } = {
  pushes: "A push to a branch that is a fast-forward.",
  rewrites: "A forced push to a branch.",
  deletes: "A deletion of a branch."
}

/** Returns the description of an action in Markdown: summary, routes, scope, and the checks in evaluation order. */
export const actionText = ({ rulebook }: Pick<AccessFile, "rulebook">, action: string): string => {
  if (isBranchVerb(action)) return `**${action}**\n\n${branchTexts[action]}`
  if (action === "lists") return "**lists**\n\nThe resources of a list that the caller sees."
  const { access, on, routes, scope, summary } = rulebook.actionOf(action)
  const checks = rulebook.checksOf(action).map(({ answer, because, id }) => `- \`${id}\` ${because}: ${answer.status}`)
  return [
    `**${action}** on \`${on}\``,
    `${summary}.`,
    ...(routes.length === 0 ? [] : [routes.map((route) => `\`${route}\``).join(", ")]),
    ...(scope.length === 0 ? [] : [`Scope: ${scope.map((each) => `\`${access}:${each}\``).join(" ")}`]),
    `Checks, in this order:\n\n${checks.join("\n")}`
  ].join("\n\n")
}

/** Returns the access rules that can be named in an expectation about an action. */
export const rulesFor = (
  { rulebook }: Pick<AccessFile, "rulebook">,
  action: string
): ReadonlyMap<string, RuleWords> => {
  if (isBranchVerb(action)) return rulesOfBranches(rulebook)
  return Object.hasOwn(rulebook.tables.actions, action) ? rulesOfAction(rulebook, action) : new Map()
}

const textAt = (file: AccessFile, line: number, character: number): readonly [string, Word] | undefined => {
  const read = file.read(line)
  if (read === undefined) return undefined
  const isHere = ({ end, start }: Word) => start <= character && character <= end
  const { question, words } = read
  if (question !== undefined) {
    const { action } = question
    const rule = question.rules.find(isHere)
    if (rule !== undefined) {
      const known = rulesFor(file, action?.text ?? "").get(rule.text) ?? file.analyser.rules.get(rule.text)
      return known === undefined ? undefined : [ruleText(known), rule]
    }
    const isKnown =
      action !== undefined &&
      (isBranchVerb(action.text) || action.text === "lists" || Object.hasOwn(file.rulebook.tables.actions, action.text))
    if (action !== undefined && isKnown && isHere(action)) return [actionText(file, action.text), action]
  }
  const mark = file.markAt(line, character)
  if (mark !== undefined) {
    const found = file.definitionOf(mark, line)
    return found === undefined ? undefined : [`${code(file.line(found.line).trim())}\n\nLine ${found.line + 1}`, mark]
  }
  const [first] = words
  if (question !== undefined || first === undefined || !isHere(first)) return undefined
  const isItem = Object.hasOwn(file.rulebook.tables.kinds, first.text)
  const syntax = lineSyntax[first.text] ?? (isItem ? itemSyntax(first.text) : undefined)
  return syntax === undefined ? undefined : [`${code(syntax.form)}\n\n${syntax.meaning}`, first]
}

/** Returns the description of the word at a position of an access file; undefined if the position has no known word. */
export const hoverAt = (file: AccessFile, line: number, character: number): Hover | undefined => {
  const found = textAt(file, line, character)
  if (found === undefined) return undefined
  const [value, word] = found
  return { contents: { kind: "markdown", value }, range: rangeOf(line, word) }
}
