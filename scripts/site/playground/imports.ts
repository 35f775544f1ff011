import type { Problem } from "./rules.ts"

/** Rules translated from another engine, and the parts that have no translation. */
export interface Imported {
  readonly rules: string
  readonly missing: ReadonlyArray<Problem>
}

/** The comparisons of Cedar in names. */
const comparisons: ReadonlyArray<readonly [string, string]> = [
  ["==", "is"],
  ["!=", "is not"],
  ["<=", "at most"],
  [">=", "at least"],
  ["<", "below"],
  [">", "above"]
]

const keywords: ReadonlyArray<string> = ["and", "or", "not", "always"]

/** Returns a name that the playground accepts: keywords, and names that begin with a digit, get a prefix. */
const prefixed = (name: string): string => (/^[A-Za-z]/.test(name) && !keywords.includes(name) ? name : `x-${name}`)

/** Returns the name of a text. Different texts can have the same name. */
const nameOf = (text: string): string =>
  prefixed(
    comparisons
      .reduce((named, [operator, words]) => named.replaceAll(operator, ` ${words} `), text)
      .replaceAll(/[^A-Za-z0-9]+/g, "-")
      .replaceAll(/^-|-$/g, "")
  )

/** Returns a function that names texts. A text with the name of another one gets a number. */
const distinctNames = () => {
  const texts = new Map<string, string>()
  return (name: string, text: string): string => {
    for (let number = 1; ; number += 1) {
      const numbered = number === 1 ? name : `${name}-${number}`
      const named = texts.get(numbered)
      if (named === undefined) texts.set(numbered, text)
      if (named === undefined || named === text) return numbered
    }
  }
}

/** Collects facts, and returns their declarations. A fact with the name of another one gets a number. */
const declarations = () => {
  const facts = new Map<string, string>()
  const distinct = distinctNames()
  return {
    fact: (wanted: string, sentence: string) => {
      const name = distinct(prefixed(wanted), sentence)
      facts.set(name, sentence)
      return name
    },
    text: () => [...facts].map(([name, sentence]) => `fact ${name}: ${sentence}`).join("\n")
  }
}

interface Relation {
  readonly line: number
  readonly text: string
}

/** Returns the parts of an OpenFGA expression, without those in brackets and parentheses, by an operator. */
const splitBy = (text: string, operator: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let [depth, from] = [0, 0]
  for (let at = 0; at < text.length; at += 1) {
    if ("([".includes(text[at] ?? "")) depth += 1
    if (")]".includes(text[at] ?? "")) depth -= 1
    if (depth === 0 && text.startsWith(` ${operator} `, at)) {
      parts.push(text.slice(from, at))
      from = at + operator.length + 2
    }
  }
  return [...parts, text.slice(from)].map((part) => part.trim())
}

/**
 * Translates an OpenFGA model: each relation becomes an action, and each kind of tuple a fact, which the program
 * computes from its own data.
 */
export const importOpenFga = (text: string): Imported => {
  const missing: Array<Problem> = []
  const types = new Map<string, Map<string, Relation>>()
  let relations: Map<string, Relation> | undefined
  for (const [index, raw] of text.split("\n").entries()) {
    const line = index + 1
    const content = raw.replace(/(^|\s)#.*$/, "").trim()
    const [, type] = /^type (\w+)$/.exec(content) ?? []
    const [, name, expression] = /^define (\w+)\s*:\s*(.+)$/.exec(content) ?? []
    if (type !== undefined) {
      relations = new Map()
      types.set(type, relations)
    } else if (name !== undefined && expression !== undefined && relations !== undefined) {
      relations.set(name, { line, text: expression })
    } else if (!/^(|relations|model|schema [\d.]+)$/.test(content)) {
      missing.push({ line, text: `\`${content}\` has no translation` })
    }
  }
  const { fact, text: declared } = declarations()
  const actions: Array<string> = []
  for (const [type, defined] of types) {
    const conditionOf = (expression: string, line: number, within: ReadonlyArray<string>): string => {
      const [whole, ...without] = splitBy(expression, "but not")
      if (whole !== undefined && without.length > 0) {
        return `(${conditionOf(whole, line, within)} and not ${conditionOf(without.join(" but not "), line, within)})`
      }
      for (const operator of ["or", "and"]) {
        const parts = splitBy(expression, operator)
        if (parts.length > 1) return `(${parts.map((part) => conditionOf(part, line, within)).join(` ${operator} `)})`
      }
      if (expression.startsWith("(") && expression.endsWith(")"))
        return conditionOf(expression.slice(1, -1).trim(), line, within)
      const here = within.at(-1) ?? ""
      if (expression.startsWith("[")) {
        const kinds = expression
          .slice(1, -1)
          .split(",")
          .map((each) => each.trim())
        const translated = kinds.flatMap((kind) => {
          if (/ with /.test(kind)) {
            missing.push({ line, text: `\`${kind}\`: write the condition as a fact that your program computes` })
            return []
          }
          const [, group, relation] = /^(\w+)#(\w+)$/.exec(kind) ?? []
          if (group !== undefined) {
            return [
              fact(
                `${type}.${here}-by-${group}`,
                `the caller is ${relation} of a ${group} that is ${here} of the ${type}`
              )
            ]
          }
          if (kind.endsWith(":*")) return [fact(`${type}.${here}-public`, `every caller is ${here} of the ${type}`)]
          return [fact(`${type}.${here}`, `the caller is ${here} of the ${type}`)]
        })
        return translated.length === 0 ? "not always" : `(${translated.join(" or ")})`
      }
      const [, relation, parent] = /^(\w+) from (\w+)$/.exec(expression) ?? []
      if (relation !== undefined && parent !== undefined) {
        return fact(`${type}.${parent}-${relation}`, `the caller is ${relation} of the ${parent} of the ${type}`)
      }
      const other = defined.get(expression)
      if (other === undefined || within.includes(expression)) {
        missing.push({
          line,
          text: `\`${expression}\` ${other === undefined ? "is not a relation of the type" : "refers to itself"}`
        })
        return "not always"
      }
      return conditionOf(other.text, other.line, [...within, expression])
    }
    for (const [name, { line, text: expression }] of defined) {
      const condition = conditionOf(expression.trim(), line, [name]).replace(/^\((.*)\)$/, (whole, inner: string) => {
        let depth = 0
        for (const each of inner) {
          depth += each === "(" ? 1 : each === ")" ? -1 : 0
          if (depth < 0) return whole
        }
        return inner
      })
      actions.push(`action ${prefixed(type)}.${name}\n  allow ${prefixed(name)}: ${condition}`)
    }
  }
  return { rules: `${[declared(), ...actions].join("\n\n")}\n`, missing: unique(missing) }
}

const unique = (problems: ReadonlyArray<Problem>): ReadonlyArray<Problem> => [
  ...new Map(problems.map((each) => [`${each.line} ${each.text}`, each])).values()
]

/** The operators and constants of Cedar, in the terms of the playground. */
const words: ReadonlyMap<string, string> = new Map([
  ["&&", "and"],
  ["||", "or"],
  ["!", "not"],
  ["(", "("],
  [")", ")"],
  ["true", "always"],
  ["false", "not always"]
])

const statement = /(permit|forbid)\s*\(([^)]*)\)((?:\s*(?:when|unless)\s*\{[^}]*\})*)\s*;/g
const actionName = /Action::"([^"]+)"/g
const actionGroup = /\baction\s+in\s+[^[\s][^,)]*/g

/**
 * Translates Cedar policies: each comparison becomes a fact, which the program computes. `permit` becomes `allow`, and
 * `forbid` becomes `deny`.
 */
export const importCedar = (source: string): Imported => {
  const missing: Array<Problem> = []
  const text = source.replaceAll(/\/\/[^\n]*/g, "")
  const lineAt = (at: number) => text.slice(0, at).split("\n").length
  const { fact, text: declared } = declarations()
  const atom = (comparison: string) => fact(nameOf(comparison), comparison.trim().replaceAll(/\s+/g, " "))
  const distinct = distinctNames()
  const conditionOf = (expression: string): string =>
    (expression.match(/&&|\|\||!(?!=)|[()]|(?:"[^"]*"|[\w.]+\([^()]*\)|(?!&&|\|\||!(?!=)|[()]).)+/gs) ?? [])
      .map((token) => token.trim())
      .filter((token) => token !== "")
      .map((token) => words.get(token) ?? atom(token))
      .join(" ")
  const policies = [...text.matchAll(statement)]
  const known = [...new Set([...text.replaceAll(actionGroup, "").matchAll(actionName)].map(([, name = ""]) => name))]
  const rules = new Map(known.map((name) => [name, [] as Array<string>]))
  for (const [index, [whole, effect, scope = "", clauses = ""]] of policies.entries()) {
    const line = lineAt(policies[index]?.index ?? 0)
    if (/\?(principal|resource)/.test(whole)) {
      missing.push({ line, text: "a template has no translation: write a policy for each link" })
      continue
    }
    if (/\bif\b.*\bthen\b|\.(map|contains(All|Any))\b/s.test(clauses)) {
      missing.push({ line, text: "`if` and operations on sets have no translation: compute them as a fact" })
      continue
    }
    if (scope.search(actionGroup) !== -1) {
      missing.push({ line, text: "a group of actions has no translation: list its actions in `[…]`" })
      continue
    }
    const parts = scope.split(/,(?![^[]*\])/).map((part) => part.trim())
    const limits = parts.filter((part) => !part.startsWith("action") && /\s/.test(part)).map(atom)
    const named = [...(parts.find((part) => part.startsWith("action")) ?? "").matchAll(actionName)]
    const applies = named.length === 0 ? known : [...new Set(named.map(([, name = ""]) => name))]
    if (applies.length === 0) missing.push({ line, text: "the file names no action to which the policy applies" })
    const conditions = [...clauses.matchAll(/(when|unless)\s*\{([^}]*)\}/g)].map(([, word, body = ""]) =>
      word === "unless" ? `not (${conditionOf(body)})` : `(${conditionOf(body)})`
    )
    const when = [...limits, ...conditions].join(" and ") || "always"
    for (const name of applies) {
      rules.get(name)?.push(`  ${effect === "permit" ? "allow" : "deny"} policy${index + 1}: ${when}`)
    }
  }
  const rest = text.replaceAll(statement, "").trim()
  if (rest !== "") {
    const [first = ""] = rest.split("\n")
    missing.push({ line: lineAt(text.indexOf(first)), text: `\`${first.trim()}\` has no translation` })
  }
  const actions = [...rules].map(([name, lines]) => {
    // Cedar denies by default; an action without `allow` allows by default.
    const isAllowed = lines.some((each) => each.startsWith("  allow"))
    return [
      `action ${distinct(nameOf(name), name)}`,
      ...(isAllowed ? [] : ["  allow nobody: not always"]),
      ...lines
    ].join("\n")
  })
  return { rules: `${[declared(), ...actions].join("\n\n")}\n`, missing }
}
