import {
  abilities,
  builtInRoles,
  type Capability,
  capabilitySentences,
  isBuiltInRole,
  rules
} from "@slipway/domain/deploy/access"
import { type Action, rowOf } from "@slipway/domain/deploy/entry"
import type { Word } from "@slipway/testkit/access"
import { deployChecksOf, deployRulesOf, isAction } from "@slipway/testkit/deploy-access"
import type { Hover } from "vscode-languageserver"
import { code, ruleText } from "../ruleText.ts"
import type { DeployFile } from "./DeployFile.ts"
import { deploySyntax } from "./syntax.ts"

/** Returns an action in Markdown: its resource type, its tokens, and the checks in order of evaluation. */
export const deployActionText = (action: Action): string => {
  const { on, rule } = rowOf(action)
  const checks = deployChecksOf(action).map(({ because, id, status }) => `- \`${id}\` ${because}: ${status}`)
  return [
    `**${action}** on \`${on}\``,
    `Tokens: ${rules[rule].because}.`,
    `Checks, in this order:\n\n${checks.join("\n")}`
  ].join("\n\n")
}

const isCapability = (word: string): word is Capability => Object.hasOwn(capabilitySentences, word)

const capabilityLine = (name: Capability): string => `- \`${name}\` ${capabilitySentences[name]}`

const roleText = (name: string): string | undefined =>
  isBuiltInRole(name) ? [`**${name}**`, builtInRoles[name].map(capabilityLine).join("\n")].join("\n\n") : undefined

const isAbility = (word: string): boolean => (abilities as ReadonlyArray<string>).includes(word)

/** Returns the description of a word of an expectation. */
const inQuestion = (words: ReadonlyArray<Word>, word: Word): string | undefined => {
  const texts = words.map(({ text }) => text)
  const action = texts.find(isAction)
  const [at, by] = [words.indexOf(word), texts.indexOf("by")]
  if (action !== undefined && isAction(action)) {
    if (by >= 0 && at > by) {
      const rule = deployRulesOf(action).get(word.text)
      return rule && ruleText(rule)
    }
    if (word.text === action) return deployActionText(action)
  }
  return texts[1] === "with" && at > 1 && isAbility(word.text)
    ? `An ability of the token: \`${word.text}\`.`
    : undefined
}

/** Returns the description of a word of a line that describes the world. */
const inWorld = (words: ReadonlyArray<Word>, word: Word): string | undefined => {
  const [first] = words
  const at = words.indexOf(word)
  const syntax = deploySyntax[first?.text ?? ""]
  if (at === 0) return syntax && `${code(syntax.form)}\n\n${syntax.meaning}`
  if (first?.text === "grant" && at === 2) return roleText(word.text)
  return first?.text === "role" && at > 1 && isCapability(word.text)
    ? `**${word.text}**: ${capabilitySentences[word.text]}`
    : undefined
}

const definitionText = (file: DeployFile, { text }: Word): string | undefined => {
  const found = file.definitions.get(text)
  return found && `${code(file.line(found.line).trim())}\n\nLine ${found.line + 1}`
}

/** Returns the description of the word at a position of a scenario of deploy; undefined for an unknown word. */
export const deployHoverAt = (file: DeployFile, line: number, character: number): Hover | undefined => {
  const words = file.words(line)
  const word = words.find(({ end, start }) => start <= character && character <= end)
  if (word === undefined) return undefined
  const isQuestion = words.some(({ text }) => text === "->")
  const value = (isQuestion ? inQuestion(words, word) : inWorld(words, word)) ?? definitionText(file, word)
  const range = { start: { line, character: word.start }, end: { line, character: word.end } }
  return value === undefined ? undefined : { contents: { kind: "markdown", value }, range }
}
