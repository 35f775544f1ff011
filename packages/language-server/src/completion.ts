import { type Facts, levelWords, visibilities } from "@slipway/access"
import { itemVocabularies, scopeWords, switchVocabulary } from "@slipway/domain/forge/access"
import { branchVerbs, listNames, ownVocabularyOf, resourceWords, unitWords } from "@slipway/testkit/access"
import { isAction } from "@slipway/testkit/deploy-access"
import { type CompletionItem, CompletionItemKind } from "vscode-languageserver"
import type { AccessFile } from "./AccessFile.ts"
import { type Choice, itemsOf, keyword, keywords, resource } from "./choices.ts"
import { deployActionText } from "./deploy/hover.ts"
import { actionText, rulesFor } from "./hover.ts"
import { ruleText } from "./ruleText.ts"
import { itemSyntax, lineSyntax } from "./syntax.ts"

/** The position at which a completion is requested: the complete words before it, and the typed part of the word. */
interface Place {
  readonly file: AccessFile
  readonly line: number
  readonly before: ReadonlyArray<string>
  readonly typed: string
}

const named = ({ file, line }: Place, ...types: ReadonlyArray<string>): ReadonlyArray<Choice> =>
  types.flatMap((type) => file.names(type, line).map((name) => resource(name, type)))

const owners = (place: Place, end: string): ReadonlyArray<Choice> =>
  named(place, "organization", "user").map((each) => ({ ...each, label: `${each.label}${end}` }))

const kindsOf = ({ file }: Place): ReadonlyArray<string> => {
  const own = Object.keys(file.rulebook.tables.finders)
  return own.length === 0 ? resourceWords : [...resourceWords, ...own, "at"]
}

const firstWords = (place: Place): ReadonlyArray<Choice> => [
  ...["scenario", ...kindsOf(place)].map((word) => keyword(word, (lineSyntax[word] ?? itemSyntax(word)).form)),
  resource("anonymous", "a caller without a sign-in"),
  ...named(place, "user")
]

const factsOf = (place: Place, kind: string): ReadonlyArray<Choice> => {
  const items: Readonly<Record<string, Facts.Vocabulary>> = itemVocabularies
  const vocabulary = items[kind] ?? ownVocabularyOf(place.file.rulebook, kind)
  const [name = "", value] = place.typed.split("=")
  const typed = Object.hasOwn(vocabulary, name) ? vocabulary[name] : undefined
  if (value === undefined || typed === undefined) {
    const facts = Object.entries(vocabulary)
    return facts.flatMap(([fact, { kind }]) => keywords(kind === "flag" ? [fact, `${fact}=`] : [`${fact}=`]))
  }
  const values = typed.kind === "flag" ? named(place, "user") : keywords(typed.words)
  return values.map((each) => ({ ...each, label: `${name}=${each.label}` }))
}

const teamWords = (place: Place): ReadonlyArray<Choice> => {
  const { before, file, line, typed } = place
  if (before.some((word) => word.endsWith(":"))) return named(place, "user")
  const organization = before[1]?.split("/")[0] ?? ""
  if (before.includes("on")) {
    const held = file.names("repository", line).filter((name) => name.startsWith(`${organization}/`))
    return [keyword("*"), ...held.map((name) => resource(name.slice(organization.length + 1), "repository"))]
  }
  const equals = typed.indexOf("=")
  if (equals >= 0) return levelWords.slice(0, 4).map((level) => keyword(`${typed.slice(0, equals)}=${level}`))
  return [...keywords([...visibilities, "admin", "creates", "on"]), ...unitWords.map((unit) => keyword(`${unit}=`))]
}

const protectionWords = (place: Place): ReadonlyArray<Choice> => {
  const equals = place.typed.search(/[=,][^=,]*$/)
  if (equals < 0) return keywords(["push=", "force="])
  const organization = place.before[1]?.split("/")[0] ?? ""
  const teams = place.file
    .names("team", place.line)
    .flatMap((name) =>
      name.startsWith(`${organization}/`) ? [resource(name.slice(organization.length + 1), "team")] : []
    )
  const head = place.typed.slice(0, equals + 1)
  return [...named(place, "user"), ...teams].map((each) => ({ ...each, label: `${head}${each.label}` }))
}

const worldWords = (place: Place): ReadonlyArray<Choice> => {
  const [type = ""] = place.before
  const at = place.before.length
  switch (type) {
    case "scenario":
    case "at":
      return []
    case "site":
      return Object.keys(switchVocabulary).flatMap((name) => keywords([`+${name}`, `-${name}`]))
    case "user":
      return at === 1 ? [] : keywords([...visibilities, "admin", "restricted", "second-factor", "no-organizations"])
    case "organization":
      return at === 1 ? [] : keywords(visibilities)
    case "team":
      return at === 1
        ? named(place, "organization").map((each) => ({ ...each, label: `${each.label}/` }))
        : teamWords(place)
    case "repository":
      if (at === 1) return owners(place, "/")
      return [...keywords(["private", "archived", "mirror"]), ...unitWords.map((unit) => keyword(`off=${unit}`))]
    case "collaborator":
      if (at === 1) return named(place, "user")
      return at === 2 ? keywords(["read", "write", "admin"]) : named(place, "repository")
    case "block":
      return at === 1 ? owners(place, "") : named(place, "user")
    case "token":
      if (at === 1) return named(place, "user").map((each) => ({ ...each, label: `${each.label}/` }))
      return keywords(scopeWords)
    case "protection":
      if (at === 1) return named(place, "repository")
      return at === 2 ? keywords(["main"]) : protectionWords(place)
    default: {
      if (at > 1) return factsOf(place, type)
      const isItem = Object.hasOwn(itemVocabularies, type)
      return isItem ? named(place, "repository").map((each) => ({ ...each, label: `${each.label}#` })) : []
    }
  }
}

const things = (place: Place, action: string, at: number): ReadonlyArray<Choice> => {
  if (action === "lists") return at === 0 ? keywords(listNames) : []
  const { actions } = place.file.rulebook.tables
  const isBranch = branchVerbs.some((verb) => verb === action)
  const kind = isBranch ? "repository" : Object.hasOwn(actions, action) ? actions[action]?.on : undefined
  if (kind === undefined) return []
  if (isBranch && at === 1) return keywords(["main"])
  const types: Readonly<Record<string, ReadonlyArray<ReadonlyArray<string>>>> = {
    site: [],
    signedLink: [],
    organizationUser: [["organization"], ["user"]],
    teamRepository: [["team"], ["repository"]],
    packageOwner: [["organization", "user"]]
  }
  if (kind === "signedLink" && at === 0) return keywords(["valid", "forged"])
  const needed = types[kind] ?? [[kind], ["user"]]
  return named(place, ...(needed[at] ?? []))
}

const actionChoices = ({ file }: Place): ReadonlyArray<Choice> => {
  const rows = Object.entries(file.rulebook.tables.actions)
  const choices = rows.map(([label, { summary }]) => ({ label, detail: summary, kind: CompletionItemKind.Method }))
  return [...choices, ...keywords(branchVerbs), keyword("lists", "the resources of a list")]
}

const questionWords = (place: Place): ReadonlyArray<Choice> => {
  const [caller = "", ...asked] = place.before
  const isAction = (word: string) =>
    Object.hasOwn(place.file.rulebook.tables.actions, word) || [...branchVerbs, "lists"].includes(word)
  const action = asked.findIndex(isAction)
  if (action >= 0) return [...things(place, asked[action] ?? "", asked.length - action - 1), keyword("->")]
  if (asked.length === 0) return [keyword("with", "a token"), ...actionChoices(place)]
  if (asked[0] !== "with") return []
  const tokens = place.file.names("token", place.line).filter((name) => name.startsWith(`${caller}/`))
  const own = tokens.map((name) => resource(name.slice(caller.length + 1), "token"))
  return [...own, ...keywords(scopeWords), ...(asked.length > 1 ? actionChoices(place) : [])]
}

const answers = (place: Place, asked: ReadonlyArray<string>): ReadonlyArray<Choice> => {
  const { before, file } = place
  const action = asked.find((word) => rulesFor(file, word).size > 0 || word === "lists") ?? ""
  if (before.includes("by")) {
    return [...rulesFor(file, action).values()].map((rule) => ({
      label: rule.id,
      kind: CompletionItemKind.Value,
      text: ruleText(rule)
    }))
  }
  if (action !== "lists") {
    return before.length > 0 ? [keyword("by", "the deciding rules")] : keywords(["allowed", "401", "403", "404"])
  }
  const list = asked[asked.indexOf("lists") + 1] ?? ""
  return named(place, list.replace("-directory", ""))
}

/** Returns the completions for a position of a scenario file. */
export const completionsAt = (file: AccessFile, line: number, character: number): Array<CompletionItem> => {
  const prefix = file.line(line).slice(0, character)
  if (/(^|\s)#/.test(prefix)) return []
  const arrow = prefix.indexOf("->")
  const text = arrow < 0 ? prefix : prefix.slice(arrow + 2)
  const typed = /[^\s]*$/.exec(text)?.[0] ?? ""
  // A comma ends a word of a list, but not one of a value such as `push=ann,bob`.
  const own = typed.includes("=") ? typed : typed.slice(typed.lastIndexOf(",") + 1)
  const words = (part: string) => part.split(/[\s,]+/).filter(Boolean)
  const place: Place = { file, line, before: words(text.slice(0, text.length - own.length)), typed: own }
  const isWorld = place.before[0] === "scenario" || kindsOf(place).includes(place.before[0] ?? "")
  const choices =
    arrow >= 0
      ? answers(place, words(prefix.slice(0, arrow)))
      : place.before.length === 0
        ? firstWords(place)
        : isWorld
          ? worldWords(place)
          : questionWords(place)
  return itemsOf(choices, line, character - own.length, character)
}

/** Adds the description of an action to its completion. */
export const resolveCompletion = (item: CompletionItem, rulebook: AccessFile["rulebook"]): CompletionItem => {
  if (item.kind !== CompletionItemKind.Method) return item
  const { data, label } = item
  const value = data === "deploy" && isAction(label) ? deployActionText(label) : actionText({ rulebook }, label)
  return { ...item, documentation: { kind: "markdown", value } }
}
