import { abilities, builtInRoles, capabilities, capabilitySentences } from "@slipway/domain/deploy/access"
import { type Action, actions, rowOf } from "@slipway/domain/deploy/entry"
import { type DeployWorld, deployRulesOf, isAction, objectsOf, type WorldType } from "@slipway/testkit/deploy-access"
import { type CompletionItem, CompletionItemKind } from "vscode-languageserver"
import { type Choice, itemsOf, keyword, keywords, resource } from "../choices.ts"
import { ruleText } from "../ruleText.ts"
import type { DeployFile } from "./DeployFile.ts"
import { deploySyntax } from "./syntax.ts"

const users = ({ users }: DeployWorld): ReadonlyArray<Choice> => [...users].map((name) => resource(name, "user"))

const named = ({ resources }: DeployWorld, ...types: ReadonlyArray<WorldType>): ReadonlyArray<Choice> =>
  [...resources].flatMap(([name, { type }]) => (types.includes(type) ? [resource(name, type)] : []))

const within = (world: DeployWorld, type: WorldType): ReadonlyArray<Choice> =>
  named(world, type).map((each) => ({ ...each, label: `${each.label}/` }))

const roles = (world: DeployWorld): ReadonlyArray<Choice> => [
  ...Object.entries(builtInRoles).map(([name, held]) => keyword(name, held.join(", "))),
  ...[...world.roles].map(([name, held]) => resource(name, held.join(", ")))
]

const ofTeam = (world: DeployWorld, before: ReadonlyArray<string>): ReadonlyArray<Choice> => {
  if (before.length === 2) return [keyword("in", "a team")]
  return before.length === 3 ? named(world, "team") : []
}

/** Returns the choices after the words of a line that describes the world. */
const worldWords = (world: DeployWorld, before: ReadonlyArray<string>): ReadonlyArray<Choice> => {
  const [type = ""] = before
  const at = before.length
  switch (type) {
    case "group":
      return at === 1 ? [] : users(world)
    case "project":
    case "server":
      return ofTeam(world, before)
    case "environment":
      if (at === 1) return within(world, "project")
      return at === 2 ? [keyword("protected", "deployments need a role on the environment")] : []
    case "application":
    case "database":
    case "service":
      return at === 1 ? within(world, "environment") : []
    case "role":
      return at === 1 ? [] : capabilities.map((name) => keyword(name, capabilitySentences[name]))
    case "grant":
      if (at === 1) return [...users(world), ...[...world.groups.keys()].map((name) => resource(name, "group"))]
      if (at === 2) return roles(world)
      return at === 3 ? named(world, "team", "project", "environment", "application", "database", "service") : []
    default:
      return []
  }
}

const actionChoices: ReadonlyArray<Choice> = (Object.keys(actions) as ReadonlyArray<Action>).map((label) => ({
  label,
  detail: `on ${rowOf(label).on}`,
  kind: CompletionItemKind.Method,
  data: "deploy"
}))

const questionWords = (world: DeployWorld, asked: ReadonlyArray<string>): ReadonlyArray<Choice> => {
  const at = asked.findIndex(isAction)
  const action = asked[at]
  if (action !== undefined && isAction(action)) {
    const names = objectsOf(world, action).flatMap((name) => name ?? [])
    const objects = names.map((name) => resource(name, world.resources.get(name)?.type))
    return at === asked.length - 1 && objects.length > 0 ? objects : [keyword("->")]
  }
  if (asked.length === 0) return [keyword("with", "abilities of a token"), ...actionChoices]
  if (asked[0] !== "with") return []
  return [...keywords(abilities), ...(asked.length > 1 ? actionChoices : [])]
}

const answers = (asked: ReadonlyArray<string>, before: ReadonlyArray<string>): ReadonlyArray<Choice> => {
  const action = asked.find(isAction)
  if (before.includes("by")) {
    const rules = action !== undefined && isAction(action) ? [...deployRulesOf(action).values()] : []
    return rules.map((rule) => ({ label: rule.id, kind: CompletionItemKind.Value, text: ruleText(rule) }))
  }
  return before.length > 0 ? [keyword("by", "the deciding rules")] : keywords(["allowed", "403", "404"])
}

const firstWords = (world: DeployWorld): ReadonlyArray<Choice> => [
  ...Object.entries(deploySyntax).map(([word, { form }]) => keyword(word, form)),
  ...users(world)
]

/** Returns the words that can stand at a position of a scenario of deploy. */
export const deployCompletionsAt = (file: DeployFile, line: number, character: number): Array<CompletionItem> => {
  const prefix = file.line(line).slice(0, character)
  if (/(^|\s)#/.test(prefix)) return []
  const world = file.worldAbove(line)
  const typed = /[^\s,]*$/.exec(prefix.slice(prefix.indexOf("->") < 0 ? 0 : prefix.indexOf("->") + 2))?.[0] ?? ""
  const before = file
    .words(line)
    .filter(({ end }) => end <= character - typed.length)
    .map(({ text }) => text)
  const arrow = before.indexOf("->")
  const [first = "", ...asked] = before
  const choices =
    arrow >= 0
      ? answers(before.slice(0, arrow), before.slice(arrow + 1))
      : before.length === 0
        ? firstWords(world)
        : Object.hasOwn(deploySyntax, first)
          ? worldWords(world, before)
          : questionWords(world, asked)
  return itemsOf(choices, line, character - typed.length, character)
}
