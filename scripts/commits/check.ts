/** Checks a commit message: area, imperative subject, length, and a body for larger changes. */
import { matchesGlob } from "node:path"
import rules from "./rules.json" with { type: "json" }

/** A commit as `git log` shows it. */
export interface Commit {
  readonly id: string
  readonly parents: number
  readonly subject: string
  readonly body: string
  /** The files that the commit changes, each with its number of added and removed lines. */
  readonly files: ReadonlyArray<{ readonly path: string; readonly lines: number }>
}

const subjectForm = /^[a-z0-9@][a-z0-9@/._,*-]*(?:\([\w./-]+\))?!?: (?<verb>\S+) \S/

const isImperative = (verb: string): boolean =>
  rules.imperativeEndings.includes(verb) || !(rules.notImperative.includes(verb) || /(?:ed|ing|[^s]s)$/.test(verb))

const countedLines = ({ files }: Commit): number =>
  files
    .filter(({ path }) => !rules.uncounted.some((pattern) => matchesGlob(path, pattern)))
    .reduce((sum, { lines }) => sum + lines, 0)

/** Returns the problems of a commit, one sentence each. */
export const problemsOf = (commit: Commit): ReadonlyArray<string> => {
  if (commit.parents > 1) return ["is a merge commit: rebase the branch instead"]
  const { subject } = commit
  if (/^(?:fixup|squash|amend)!|\bwip\b/i.test(subject)) return ["is unfinished work (wip, fixup): squash or reword it"]
  const problems: Array<string> = []
  const verb = subjectForm.exec(subject)?.groups?.verb
  if (verb === undefined) problems.push("subject must read `area: imperative verb and object`")
  else if (!isImperative(verb.toLowerCase())) problems.push(`\`${verb}\` must be an imperative verb, such as \`add\``)
  if (subject.length > rules.longestSubject)
    problems.push(`subject has ${subject.length} characters, at most ${rules.longestSubject} are allowed`)
  if (subject.endsWith(".")) problems.push("subject must not end with a full stop")
  const lines = countedLines(commit)
  if (lines > rules.linesWithoutBody && commit.body.trim() === "")
    problems.push(`changes ${lines} lines: a body must say why`)
  return problems
}
