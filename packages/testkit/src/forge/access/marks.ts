import type { Facts } from "@slipway/access"
import { itemVocabularies, parseScopeWord, type Rulebook } from "@slipway/domain/forge/access"
import { isItemKind } from "@slipway/domain/forge/entry"
import { ownKindsOf, ownVocabularyOf } from "../customResources.ts"
import { isBranchVerb } from "../pushes.ts"

/** A word of a line, with its first column, and the column after its end. Columns start at 0. */
export interface Word {
  readonly text: string
  readonly start: number
  readonly end: number
}

/**
 * The type of resource that a name in a line refers to. An `owner` is a user or an organization; a `member` is a user
 * or a team.
 */
export type MarkKind = "user" | "organization" | "owner" | "team" | "member" | "repository" | "item" | "token"

/** A name in a line that defines a resource, or refers to one. */
export interface Mark extends Word {
  readonly kind: MarkKind
  /** The resources that the name can refer to, as type and name, such as `user bob` or `team acme/builders`. */
  readonly keys: ReadonlyArray<string>
  readonly defines: boolean
}

/** The parts of an access question in a line, as words with columns. */
export interface QuestionWords {
  readonly caller: Word | undefined
  readonly tokens: ReadonlyArray<Word>
  readonly action: Word | undefined
  readonly things: ReadonlyArray<Word>
  /** The column after `->`. */
  readonly answerAt: number
  readonly answers: ReadonlyArray<Word>
  readonly rules: ReadonlyArray<Word>
}

/** A line of a scenario file as words with columns, without its comment. */
export interface ReadLine {
  readonly words: ReadonlyArray<Word>
  readonly marks: ReadonlyArray<Mark>
  /** The parts of the access question; undefined if the line is not a question. */
  readonly question: QuestionWords | undefined
}

/** Splits a text at separators, and returns the words with their columns. */
const split = (text: string, from: number, separators: RegExp): ReadonlyArray<Word> =>
  [...text.matchAll(separators)].map((match) => {
    const start = from + match.index
    return { text: match[0], start, end: start + match[0].length }
  })

const spaced = /[^\s]+/g
const listed = /[^\s,]+/g

const codeOf = (line: string): string => line.replace(/(^|\s)#.*$/, "")

const part = (word: Word, from: number, to = word.text.length): Word => ({
  text: word.text.slice(from, to),
  start: word.start + from,
  end: word.start + to
})

const mark = (kind: MarkKind, word: Word, keys: ReadonlyArray<string>, defines = false): Mark => ({
  ...word,
  kind,
  keys,
  defines
})

const userMark = (word: Word): Mark => mark("user", word, [`user ${word.text}`])
const ownerMark = (word: Word): Mark => mark("owner", word, [`organization ${word.text}`, `user ${word.text}`])
const repositoryMark = (word: Word): Mark => mark("repository", word, [`repository ${word.text}`])

const ownerIn = (word: Word): Word => part(word, 0, Math.max(word.text.indexOf("/"), 0))

/** Returns the value of a word `name=value`; undefined if the word has no `=`. */
const valueOf = (word: Word): Word | undefined => {
  const sign = word.text.indexOf("=")
  return sign < 0 ? undefined : part(word, sign + 1)
}

const team = (code: string, [, path, ...rest]: ReadonlyArray<Word>): ReadonlyArray<Mark> => {
  if (path === undefined) return []
  const colon = code.indexOf(":", path.start)
  const name = path.text.endsWith(":") ? part(path, 0, path.text.length - 1) : path
  const organization = ownerIn(name)
  const on = rest.findIndex(({ start, text }) => text === "on" && (colon < 0 || start < colon))
  const held = on < 0 ? [] : rest.slice(on + 1).filter(({ start }) => colon < 0 || start < colon)
  return [
    mark("organization", organization, [`organization ${organization.text}`]),
    mark("team", name, [`team ${name.text}`], true),
    ...held
      .map((word) => (word.text.endsWith(":") ? part(word, 0, word.text.length - 1) : word))
      .filter(({ text }) => text !== "*" && text !== "")
      .map((word) => mark("repository", word, [`repository ${organization.text}/${word.text}`])),
    ...(colon < 0 ? [] : split(code.slice(colon + 1), colon + 1, listed).map(userMark))
  ]
}

const factsOfUsers = (words: ReadonlyArray<Word>, vocabulary: Facts.Vocabulary): ReadonlyArray<Mark> =>
  words.flatMap((word) => {
    const name = word.text.split("=")[0] ?? ""
    const value = valueOf(word)
    const isFlag = Object.hasOwn(vocabulary, name) && vocabulary[name]?.kind === "flag"
    return value === undefined || !isFlag ? [] : [userMark(value)]
  })

const protection = ([, path, , ...rest]: ReadonlyArray<Word>): ReadonlyArray<Mark> => {
  if (path === undefined) return []
  const owner = ownerIn(path).text
  const permitted = rest.flatMap((word) => {
    const value = valueOf(word)
    return value === undefined || value.text === "*" ? [] : split(value.text, value.start, listed)
  })
  return [
    repositoryMark(path),
    ...permitted.map((word) => mark("member", word, [`user ${word.text}`, `team ${owner}/${word.text}`]))
  ]
}

const world = (code: string, words: ReadonlyArray<Word>, rulebook: Rulebook): ReadonlyArray<Mark> => {
  const [type, name, ...rest] = words
  if (type === undefined || name === undefined) return []
  switch (type.text) {
    case "user":
      return [mark("user", name, [`user ${name.text}`], true)]
    case "organization":
      return [mark("organization", name, [`organization ${name.text}`], true)]
    case "team":
      return team(code, words)
    case "repository":
      return [ownerMark(ownerIn(name)), mark("repository", name, [`repository ${name.text}`], true)]
    case "collaborator":
      return [userMark(name), ...(rest[1] === undefined ? [] : [repositoryMark(rest[1])])]
    case "block":
      return [ownerMark(name), ...(rest[0] === undefined ? [] : [userMark(rest[0])])]
    case "token":
      return [userMark(ownerIn(name)), mark("token", name, [`token ${name.text}`], true)]
    case "protection":
      return protection(words)
    default: {
      if (isItemKind(type.text)) {
        const at = name.text.indexOf("#")
        return [
          repositoryMark(part(name, 0, at < 0 ? name.text.length : at)),
          mark("item", name, [`${type.text} ${name.text}`], true),
          ...factsOfUsers(rest, itemVocabularies[type.text])
        ]
      }
      if (!ownKindsOf(rulebook).includes(type.text)) return []
      return [
        mark("item", name, [`${type.text} ${name.text}`], true),
        ...factsOfUsers(rest, ownVocabularyOf(rulebook, type.text))
      ]
    }
  }
}

const isAction = (text: string, { tables }: Rulebook): boolean =>
  Object.hasOwn(tables.actions, text) || isBranchVerb(text) || text === "lists"

const questionOf = (code: string, arrow: number, rulebook: Rulebook): QuestionWords => {
  const [caller, ...asked] = split(code.slice(0, arrow), 0, listed)
  const answerAt = arrow + 2
  const expected = split(code.slice(answerAt), answerAt, listed)
  const by = expected.findIndex(({ text }) => text === "by")
  const withToken = asked[0]?.text === "with"
  // Tokens end at the action; an unknown action follows the scopes.
  const known = asked.findIndex(({ text }) => isAction(text, rulebook))
  const unscoped = asked.findIndex(({ text }, at) => at > 0 && parseScopeWord(text) === undefined)
  const first = known >= 0 ? known : unscoped >= 0 ? unscoped : asked.length
  const actionAt = withToken ? first : 0
  return {
    caller,
    tokens: withToken ? asked.slice(1, actionAt) : [],
    action: asked[actionAt],
    things: asked.slice(actionAt + 1),
    answerAt,
    answers: by < 0 ? expected : expected.slice(0, by),
    rules: by < 0 ? [] : expected.slice(by + 1)
  }
}

const thingMarks = ({ action, things }: QuestionWords, rulebook: Rulebook): ReadonlyArray<Mark> => {
  const [one, other] = things
  if (action === undefined || one === undefined || action.text === "lists") return []
  const rows = rulebook.tables.actions
  const kind = isBranchVerb(action.text) ? "repository" : Object.hasOwn(rows, action.text) ? rows[action.text]?.on : ""
  const user = other === undefined || isBranchVerb(action.text) ? [] : [userMark(other)]
  switch (kind) {
    case "organization":
    case "organizationUser":
      return [mark("organization", one, [`organization ${one.text}`]), ...user]
    case "team":
      return [mark("team", one, [`team ${one.text}`]), ...user]
    case "teamRepository":
      return [mark("team", one, [`team ${one.text}`]), ...(other === undefined ? [] : [repositoryMark(other)])]
    case "user":
      return [userMark(one)]
    case "repository":
      return [repositoryMark(one), ...user]
    case "packageOwner":
      return [ownerMark(one)]
    case undefined:
    case "":
    case "site":
    case "signedLink":
      return []
    default: {
      const item = mark("item", one, [`${kind} ${one.text}`])
      if (!isItemKind(kind)) return [item]
      const at = one.text.indexOf("#")
      return [repositoryMark(part(one, 0, at < 0 ? one.text.length : at)), item]
    }
  }
}

/** The type of resource that each list contains, by the name of the list. */
const listKinds: ReadonlyMap<string, MarkKind> = new Map([
  ["organization", "organization"],
  ["organization-directory", "organization"],
  ["team", "team"],
  ["user", "user"],
  ["repository", "repository"]
])

const questionMarks = (question: QuestionWords, rulebook: Rulebook): ReadonlyArray<Mark> => {
  const { answers, caller, things, tokens, action } = question
  if (caller === undefined) return []
  const list = action?.text === "lists" ? listKinds.get(things[0]?.text ?? "") : undefined
  return [
    ...(caller.text === "anonymous" ? [] : [userMark(caller)]),
    ...tokens
      .filter(({ text }) => parseScopeWord(text) === undefined)
      .map((word) => mark("token", word, [`token ${caller.text}/${word.text}`])),
    ...thingMarks(question, rulebook),
    ...(list === undefined ? [] : answers.map((word) => mark(list, word, [`${list} ${word.text}`])))
  ]
}

/** Splits a line of a scenario file into words, and finds the names that define resources or refer to them. */
export const readLine = (line: string, rulebook: Rulebook): ReadLine => {
  const code = codeOf(line)
  const words = split(code, 0, spaced)
  if (words[0]?.text === "scenario") return { words, marks: [], question: undefined }
  const arrow = code.indexOf("->")
  if (arrow < 0) return { words, marks: world(code, words, rulebook), question: undefined }
  const question = questionOf(code, arrow, rulebook)
  return { words, marks: questionMarks(question, rulebook), question }
}
